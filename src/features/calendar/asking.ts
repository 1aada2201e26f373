import { messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { type CalendarAccount, sealContext } from './connection.ts';
import { isAccountFailure, ProviderFailure } from './provider/failure.ts';
import { openSession, type Session, type SessionOptions } from './provider/session.ts';

/** What came of asking the provider with an account's key. */
export type Asked<T> = { account: CalendarAccount } & (
  | { value: T; failure?: undefined }
  | { value?: undefined; failure: ProviderFailure }
);

/** Asks the provider with the account's key; whatever goes wrong there, or with the key, is part of the result. */
export async function ask<T>(
  app: App,
  account: CalendarAccount,
  question: (session: Session) => Promise<T>,
  options: SessionOptions = {},
): Promise<Asked<T>> {
  try {
    return { account, value: await question(openSession(app, keyOf(app, account), options)) };
  } catch (error) {
    if (error instanceof ProviderFailure) return { account, failure: error };
    throw error;
  }
}

/** The account's `error` after it was asked: null when the provider did answer, be it that it has nothing. */
export const errorOf = ({ failure }: Asked<unknown>): string | null =>
  failure && isAccountFailure(failure) ? failure.message : null;

/** @throws ProviderFailure when the installation's secrets are not those that sealed the key (a restored database, for one) */
function keyOf(app: App, { id, keySealed }: CalendarAccount): string {
  try {
    return app.secrets.open(keySealed, sealContext(id));
  } catch (error) {
    app.log.error({ accountId: id, error: messageOf(error) }, 'a calendar key cannot be opened');
    throw new ProviderFailure('failed', 'The stored key cannot be read any more; connect the account again.', {
      unheard: true,
      cause: error,
    });
  }
}
