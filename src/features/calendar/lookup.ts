import { AppError, notFound } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { recordResults } from './checks.ts';
import type { CalendarAccount } from './connection.ts';
import { eventTypeIdOf, firstMatch, type Match } from './event-type.ts';
import { eventTypeById, eventTypeBySlug } from './provider/cal-com.ts';
import type { Session } from './provider/session.ts';
import { type ProviderResult, queryProvider } from './provider-query.ts';
import * as store from './store.ts';

type FoundEventType = Pick<Match, 'eventType' | 'by'>;

/**
 * Finds an event type by the provider's id or slug. Queries all accounts of the organization and its agents at once; an account that
 * fails does not hide a match in another.
 * @throws not_connected without accounts, notFound when nothing matches, provider when nothing matches and an account failed
 */
export const findEventType = (app: App, orgId: string, platformId: string): Promise<Match> =>
  findInAccounts(app, orgId, `calendar event type ${platformId}`, (session) => byIdThenSlug(session, platformId));

/** Like `findEventType`, by the provider's id alone, which slots and bookings require. */
export const findEventTypeById = (app: App, orgId: string, id: number): Promise<Match> =>
  findInAccounts(app, orgId, `calendar event type ${id}`, (session) => byId(session, id));

async function byIdThenSlug(session: Session, platformId: string): Promise<FoundEventType | undefined> {
  const id = eventTypeIdOf(platformId);
  const found = id === undefined ? undefined : await byId(session, id);
  if (found) return found;
  const eventType = await eventTypeBySlug(session, platformId);
  return eventType && { eventType, by: 'slug' };
}

async function byId(session: Session, id: number): Promise<FoundEventType | undefined> {
  const eventType = await eventTypeById(session, id);
  return eventType && { eventType, by: 'id' };
}

async function findInAccounts(
  app: App,
  orgId: string,
  what: string,
  query: (session: Session) => Promise<FoundEventType | undefined>,
): Promise<Match> {
  const accounts = await store.allAccounts(app.db, orgId);
  if (accounts.length === 0) throw notConnected();
  const results = await Promise.all(accounts.map((account) => queryProvider(app, account, query)));
  await recordResults(app, results);
  const match = firstMatch(results.flatMap(({ account, value }) => (value ? [{ account, ...value }] : [])));
  if (match) return match;
  const failed = results.filter(({ failure }) => failure !== undefined);
  throw failed.length === 0 ? notFound(what) : lookupFailed(failed);
}

const notConnected = (): AppError =>
  new AppError(
    'not_connected',
    'The organization has no connected calendar account; connect one with POST /api/v1/calendar/connect.',
  );

function lookupFailed(failed: ReadonlyArray<ProviderResult<unknown>>): AppError {
  const { account, failure } = failed[0]!;
  const others = failed.length - 1;
  const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'account' : 'accounts'} failed too.`;
  const message = `Not found, but not every calendar account could be searched. ${reasonOf(account, failure)}${more}`;
  return new AppError('provider', message, { cause: failure });
}

export const reasonOf = ({ accountName }: CalendarAccount, failure: Error | undefined): string =>
  `${accountName}: ${failure?.message ?? 'failed'}`;
