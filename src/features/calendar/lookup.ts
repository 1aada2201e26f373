import { AppError, notFound } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { ask, type Asked } from './asking.ts';
import { note } from './checks.ts';
import type { CalendarAccount } from './connection.ts';
import { eventTypeIdOf, firstMatch, type Match } from './event-type.ts';
import { eventTypeById, eventTypeBySlug } from './provider/cal-com.ts';
import type { Session } from './provider/session.ts';
import * as store from './store.ts';

type Answer = Pick<Match, 'eventType' | 'by'> | undefined;

/**
 * Finds an event type by the provider's id or slug among all accounts of the organization and its agents, which are asked at once.
 * One that fails does not hide a match in another.
 * @throws not_connected without accounts, notFound when nothing matches, provider when nothing matches and an account failed
 */
export const findEventType = (app: App, orgId: string, platformId: string): Promise<Match> =>
  find(app, orgId, `calendar event type ${platformId}`, (session) => byIdThenSlug(session, platformId));

/** The same by the provider's id alone, for what is done with the event type. */
export const findEventTypeById = (app: App, orgId: string, id: number): Promise<Match> =>
  find(app, orgId, `calendar event type ${id}`, (session) => byId(session, id));

async function byIdThenSlug(session: Session, platformId: string): Promise<Answer> {
  const id = eventTypeIdOf(platformId);
  const found = id === undefined ? undefined : await byId(session, id);
  if (found) return found;
  const eventType = await eventTypeBySlug(session, platformId);
  return eventType && { eventType, by: 'slug' };
}

async function byId(session: Session, id: number): Promise<Answer> {
  const eventType = await eventTypeById(session, id);
  return eventType && { eventType, by: 'id' };
}

async function find(
  app: App,
  orgId: string,
  what: string,
  question: (session: Session) => Promise<Answer>,
): Promise<Match> {
  const accounts = await store.allAccounts(app.db, orgId);
  if (accounts.length === 0) throw notConnected();
  const asked = await Promise.all(accounts.map((account) => ask(app, account, question)));
  await note(app, asked);
  const match = firstMatch(asked.flatMap(({ account, value }) => (value ? [{ account, ...value }] : [])));
  if (match) return match;
  const failed = asked.filter(({ failure }) => failure !== undefined);
  throw failed.length === 0 ? notFound(what) : lookupFailed(failed);
}

const notConnected = (): AppError =>
  new AppError(
    'not_connected',
    'The organization has no connected calendar account; connect one with POST /api/v1/calendar/connect.',
  );

function lookupFailed(failed: ReadonlyArray<Asked<unknown>>): AppError {
  const { account, failure } = failed[0]!;
  const more = failed.length === 1 ? '' : ` ${failed.length - 1} more failed.`;
  const message = `Not found, but not every calendar account could be asked: ${reasonOf(account, failure)}${more}`;
  return new AppError('provider', message, { cause: failure });
}

export const reasonOf = ({ accountName }: CalendarAccount, failure: Error | undefined): string =>
  `${accountName}: ${failure?.message ?? 'failed'}`;
