import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type Mail = { to: string[]; content: string };

/** A mail server on a free port of 127.0.0.1, the settings that name it, and the first mail it receives, with its text decoded. */
export async function startMailbox() {
  const first = Promise.withResolvers<Mail>();
  const received: Mail['to'][] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address);
      const take = (content: string): void => {
        received.push(to);
        first.resolve({ to, content: decoded(content) });
        done();
      };
      text(stream).then(take, () => undefined); // a mail that breaks off is none
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { port: number };
  return {
    first: first.promise,
    /** The recipients of each mail so far. */
    received,
    settings: { 'email.host': '127.0.0.1', 'email.port': String(port), 'email.require_tls': 'false' },
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}

/** Undoes quoted-printable as far as links need it. */
const decoded = (content: string): string => content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
