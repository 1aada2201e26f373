import { dateOf } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageIdOf, type Notice } from './notice.ts';

/** Real time, as for every exchange over a network. */
const connectTimeoutMs = 15_000;
const silenceTimeoutMs = 60_000;

/** The settings under `email:` once a server is named. */
type EmailSettings = Config['email'] & { host: string };

export const isConfigured = (email: Config['email']): email is EmailSettings => email.host !== null;

/** Hands a notice to the mail server, as one message to all addresses. @throws what went wrong, as nodemailer words it */
export async function send(email: EmailSettings, notice: Notice, to: readonly string[]): Promise<void> {
  const { createTransport } = await import('nodemailer'); // here, because most installations send no e-mail
  const sender = email.from ?? `Parley <parley@${email.host}>`;
  const transport = createTransport({
    host: email.host,
    port: email.port,
    secure: email.secure,
    ...(email.user === null ? {} : { auth: { user: email.user, pass: email.password ?? '' } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
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
