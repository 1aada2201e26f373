import { AppError } from '../../../../base/errors.ts';
import { headersFault, isSignedWith } from '../../../../base/standard-webhooks.ts';
import type { App } from '../../../../kernel/app.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Judges a callback's signature: its headers at once, its body when the answer is called with it. A signature does not bind the
 * path; the body's `call_session_id` does.
 * @throws unauthenticated; notFound where no runtime calls back because the carrier is another one
 */
export function checkCallback(
  { secret }: HttpSettings,
  app: App,
  header: (name: string) => string,
): (body: Buffer) => void {
  const { driver } = app.config.carrier;
  if (driver !== 'http' || secret === null) {
    throw new AppError('not_found', `No callbacks are taken here: the carrier is ${driver}.`);
  }
  const headers = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
  };
  const fault = headersFault(headers, app.clock.now() / 1000);
  if (fault !== undefined) throw refused(fault);
  return (body) => {
    if (!isSignedWith(secret, headers, body)) throw refused('The signature is not one of this body with our secret.');
  };
}

const refused = (message: string): AppError =>
  new AppError('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Webhook-Signature' } });
