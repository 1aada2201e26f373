import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { createTransport } from 'nodemailer';
import { dateOf } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { trust } from '../../base/outbound/trust.ts';
import { redact } from '../../base/redact.ts';
import type { App } from '../../kernel/app.ts';
import { requireTurn } from '../../kernel/turn.ts';
import { messageIdOf, type Notice } from './notice.ts';

/** Network time-outs are real time, also under the test clock. `total` ends an exchange with a server that sends a byte now and then. */
const timeoutMs = { connect: 15_000, silence: 30_000, total: 60_000 };
const maxErrorChars = 500;

/** The settings under `email:` with a mail server configured, and `outbound.ca_file`. */
type EmailSettings = Config['email'] & { host: string; caFile: string | null };

/** The mail server; undefined when none is configured. */
export const mailServerOf = ({ email, outbound }: Pick<Config, 'email' | 'outbound'>): EmailSettings | undefined =>
  email.host === null ? undefined : { ...email, host: email.host, caFile: outbound.ca_file };

/** `id` makes the Message-ID, which is the same on every attempt. */
export type Message = Pick<Notice, 'id' | 'subject' | 'body' | 'createdAt'>;

/**
 * Sends one message to all addresses. The password goes out only over TLS, unless the server is on this machine or
 * `email.require_tls` is false.
 * @throws Error that says why it failed, without the password
 */
export async function send(
  app: Pick<App, 'mayAct'>,
  email: EmailSettings,
  notice: Message,
  to: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  requireTurn(app);
  const sender = email.from ?? `Parley <parley@${email.host}>`;
  await withConnection(email, signal, (transport) =>
    transport.sendMail({
      from: sender,
      to: [...to],
      subject: notice.subject,
      // Asked for only when the server is ready for it, which may be long after the beginning.
      text: Readable.from(textOf(app, notice)),
      textEncoding: 'quoted-printable',
      date: dateOf(notice.createdAt),
      messageId: messageIdOf(notice.id, sender),
      headers: { 'Auto-Submitted': 'auto-generated' },
    }),
  );
}

function* textOf(app: Pick<App, 'mayAct'>, { body }: Message): Generator<string> {
  requireTurn(app);
  yield body;
}

/** Connects, greets and logs in to the mail server, without sending anything. @throws Error that says why it failed */
export const verifyConnection = (email: EmailSettings, signal: AbortSignal): Promise<void> =>
  withConnection(email, signal, (transport) => transport.verify());

type Transport = ReturnType<typeof createTransport>;

async function withConnection(
  email: EmailSettings,
  signal: AbortSignal,
  exchange: (transport: Transport) => Promise<unknown>,
): Promise<void> {
  const nodemailer = await import('nodemailer'); // loaded here, since most installations send no e-mail
  const ca = email.caFile === null ? undefined : readFileSync(email.caFile, 'utf8');
  // A socket of our own, because nodemailer cannot be told to give up.
  const socket = new Socket();
  const transport = nodemailer.createTransport({
    socket,
    host: email.host,
    port: email.port,
    secure: email.secure,
    requireTLS: email.require_tls && !isLoopback(email.host),
    tls: { secureContext: trust(ca), rejectUnauthorized: true }, // said here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch it off
    ...(email.user === null ? {} : { auth: { user: email.user, pass: email.password ?? '' } }),
    dnsTimeout: timeoutMs.connect,
    connectionTimeout: timeoutMs.connect,
    greetingTimeout: timeoutMs.connect,
    socketTimeout: timeoutMs.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs.total)]);
  const giveUp = (): void => void socket.destroy(new Error('The mail server did not finish in time.'));
  limit.addEventListener('abort', giveUp);
  try {
    limit.throwIfAborted();
    await exchange(transport);
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the cause may hold the password
    throw new Error(withoutCredentials(messageOf(error), email));
  } finally {
    limit.removeEventListener('abort', giveUp);
    transport.close();
    socket.destroy();
  }
}

/** Whether the mail server runs on this machine, where nobody can read the connection. */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/** Removes user and password from a server's message: some servers repeat what they received, such as the base64 of both (AUTH PLAIN). */
const withoutCredentials = (message: string, { user, password }: EmailSettings): string =>
  redact(message, password === null ? [] : [password, `\0${user ?? ''}\0${password}`], '********').slice(
    0,
    maxErrorChars,
  );
