import { dateOf } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageIdOf, type Notice } from './notice.ts';

/** Network time-outs are real time, also under the test clock. */
const connectTimeoutMs = 15_000;
const socketTimeoutMs = 60_000;

/** The settings under `email:` with a mail server configured. */
type EmailSettings = Config['email'] & { host: string };

export const isConfigured = (email: Config['email']): email is EmailSettings => email.host !== null;

/** Sends a notice as one message to all addresses. @throws nodemailer's error */
export async function send(email: EmailSettings, notice: Notice, to: readonly string[]): Promise<void> {
  const { createTransport } = await import('nodemailer'); // loaded here, since most installations send no e-mail
  const sender = email.from ?? `Parley <parley@${email.host}>`;
  const transport = createTransport({
    host: email.host,
    port: email.port,
    secure: email.secure,
    ...(email.user === null ? {} : { auth: { user: email.user, pass: email.password ?? '' } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: sender,
      to: [...to],
      subject: notice.subject,
      text: notice.body,
      date: dateOf(notice.createdAt),
      messageId: messageIdOf(notice.id, sender),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}
