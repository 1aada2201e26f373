import { messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { type CalendarAccount, encryptionContext } from './connection.ts';
import { isAccountFailure, ProviderFailure } from './provider/failure.ts';
import { openSession, type Session, type SessionOptions } from './provider/session.ts';

/** The result of querying the provider with an account's key: a value or a failure. */
export type ProviderResult<T> = { account: CalendarAccount } & (
  | { value: T; failure?: undefined }
  | { value?: undefined; failure: ProviderFailure }
);

/** Queries the provider with the account's key. A failure of the provider or of the key is returned, anything else is thrown. */
export async function queryProvider<T>(
  app: App,
  account: CalendarAccount,
  query: (session: Session) => Promise<T>,
  options: SessionOptions = {},
): Promise<ProviderResult<T>> {
  try {
    return { account, value: await query(openSession(app, decryptKey(app, account), options)) };
  } catch (error) {
    if (error instanceof ProviderFailure) return { account, failure: error };
    throw error;
  }
}

/** The account's `error` after a query. Null when the provider accepted the key, even if it found nothing or rejected the request. */
export const accountErrorOf = ({ failure }: ProviderResult<unknown>): string | null =>
  failure && isAccountFailure(failure) ? failure.message : null;

/**
 * The account's API key.
 * @throws ProviderFailure when the key was encrypted with other secrets than this installation's, for example after a restore of the
 * database without its secrets file
 */
function decryptKey(app: App, { id, encryptedKey }: CalendarAccount): string {
  try {
    return app.secrets.decrypt(encryptedKey, encryptionContext(id));
  } catch (error) {
    app.log.error({ accountId: id, error: messageOf(error) }, 'cannot decrypt the key of a calendar account');
    throw new ProviderFailure('failed', 'The stored key can no longer be read; connect the account again.', {
      notSent: true,
      cause: error,
    });
  }
}
