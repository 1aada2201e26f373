import { realTimeMs } from '../../../../base/clock.ts';
import { AppError } from '../../../../base/errors.ts';
import { headersFault, isSignedWith } from '../../../../base/standard-webhooks.ts';
import type { App } from '../../../../kernel/app.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Checks the signature of a callback: its headers at once, its body when the returned function is called with it. The signature does not
 * cover the path, so every body repeats the call's id as `call_session_id`.
 * @throws notFound when the voice runtime's address or secret is not set; unauthenticated when the headers are invalid. The returned
 * function throws unauthenticated when the signature does not match the body.
 */
export function checkCallback(
  { url, secret }: HttpSettings,
  app: App,
  header: (name: string) => string,
): (body: Buffer) => void {
  // Not `carrier.driver`: a number may name this carrier while others use another one.
  if (url === null || secret === null) {
    throw new AppError(
      'not_found',
      'This server takes no callbacks: carrier.http.url and carrier.http.secret are not both set.',
    );
  }
  const headers = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
  };
  // A runtime in a test may sign with the test clock's time or with its own.
  const fault = headersFault(headers, [realTimeMs() / 1000, app.clock.now() / 1000]);
  if (fault !== undefined) throw refused(fault);
  return (body) => {
    if (!isSignedWith(secret, headers, body)) throw refused('The signature does not match this body and the secret.');
  };
}

const refused = (message: string): AppError =>
  new AppError('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Webhook-Signature' } });
