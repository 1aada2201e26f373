import { hash, randomBytes } from 'node:crypto';
import { notFound } from '../../../base/errors.ts';
import { onCommit, type Queryable, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import type { Caller, Role } from '../../../kernel/route.ts';
import * as store from './store.ts';

/** The request that logs a person in. */
export type SessionRequest = { requestId: string; ip: string; userAgent: string | null };

type Person = { id: string; orgId: string; email: string; role: Role };

/** A new session. Only the hash of its secret is stored, so this is the only time that the secret is available. */
export type OpenedSession = { id: string; secret: string; person: Person; expiresAt: number };

/** A session that is valid now. `writtenUseAt` is the last use that the database knows of. */
export type Session = { id: string; person: Person; writtenUseAt: number };

/** The stored `last_used_at` may be this old, so that not every request writes. */
const maxPrecisionMs = 60_000;
/** A person has at most this many sessions; a further log-in ends the oldest. */
const maxSessions = 50;
const maxUserAgentLength = 400;

/** When sessions were last used, by id. */
const lastUses = nodeState('sessionUses', () => new Map<string, number>());

const hashOf = (secret: string): string => hash('sha256', secret);
const idleMs = (app: App): number => app.config.auth.session.idle_sec * 1000;
const maxAgeMs = (app: App): number => app.config.auth.session.max_sec * 1000;
/** A minute or, if that is shorter, a tenth of the idle time, so that a crash does not end sessions much too early. */
const precisionMs = (app: App): number => Math.min(maxPrecisionMs, idleMs(app) / 10);

type Times = Pick<store.SessionRow, 'id' | 'created_at' | 'last_used_at'>;

const lastUsedAt = (app: App, row: Times): number => Math.max(row.last_used_at, lastUses(app).get(row.id) ?? 0);
const expiresAt = (app: App, row: Times): number =>
  Math.min(row.created_at + maxAgeMs(app), lastUsedAt(app, row) + idleMs(app));
const isValid = (app: App, row: Times): boolean => app.clock.now() < expiresAt(app, row);

/** Opens a session for a person who has just proved who they are. */
export async function openSession(
  app: App,
  tx: Tx,
  person: Person,
  { ip, userAgent }: SessionRequest,
): Promise<OpenedSession> {
  const secret = randomBytes(32).toString('base64url');
  const now = app.clock.now();
  const row: store.SessionRow = {
    id: app.ids.make(),
    organization_id: person.orgId,
    user_id: person.id,
    secret_hash: hashOf(secret),
    created_at: now,
    last_used_at: now,
    ip,
    user_agent: userAgent?.slice(0, maxUserAgentLength) ?? null,
  };
  const others = await sessionIdsOf(tx, person.id);
  await end(app, tx, others.slice(maxSessions - 1));
  await store.insertSession(tx, row);
  return { id: row.id, secret, person, expiresAt: expiresAt(app, row) };
}

/**
 * The valid session that one of the secrets belongs to. None if several belong to valid sessions: another server on the machine can add a
 * cookie with a session of its own, in which the person would go on working without noticing.
 */
export async function sessionOf(app: App, secrets: readonly string[]): Promise<Session | undefined> {
  const found: Session[] = [];
  for (const secret of secrets) {
    const row = await store.sessionByHash(app.db, hashOf(secret));
    if (!row || !isValid(app, row)) continue;
    const person = { id: row.user_id, orgId: row.organization_id, email: row.email, role: row.role };
    found.push({ id: row.id, person, writtenUseAt: row.last_used_at });
  }
  return found.length === 1 ? found[0] : undefined;
}

export const callerOf = ({ id, person }: Session): Caller => ({
  orgId: person.orgId,
  role: person.role,
  via: 'session',
  identity: 'user',
  subject: person.id,
  name: person.email,
  sessionId: id,
});

/** Records that a session is used now. The database is updated only once a minute. */
export async function recordUse(app: App, session: Session): Promise<void> {
  const now = app.clock.now();
  lastUses(app).set(session.id, now);
  if (session.writtenUseAt > now - precisionMs(app)) return;
  // Only log a failure: reads must keep working while the storage refuses writes (docs/api/process.md, "Storage that refuses writes").
  await store
    .setLastUsed(app.db, session.id, now)
    .catch((err: unknown) => app.log.warn({ err }, 'the last use of a session could not be recorded'));
}

/** When a session ends unless it is used again; undefined when it has ended. */
export async function sessionEnd(app: App, session: { id: string; userId: string }): Promise<number | undefined> {
  const row = await store.sessionById(app.db, session);
  return row && isValid(app, row) ? expiresAt(app, row) : undefined;
}

/** The current role of a session's person; undefined when the session has ended. */
export async function roleOfSession(app: App, session: { id: string; userId: string }): Promise<Role | undefined> {
  const row = await store.sessionById(app.db, session);
  return row && isValid(app, row) ? row.role : undefined;
}

/** A person's valid sessions, newest first. */
export async function listSessions(app: App, userId: string): Promise<store.SessionRow[]> {
  const rows = await store.sessionsOf(app.db, userId);
  return rows.filter((row) => isValid(app, row)).map((row) => ({ ...row, last_used_at: lastUsedAt(app, row) }));
}

/**
 * Ends one of a person's sessions, at once and for every copy of its cookie.
 * @throws notFound unless the person has this session
 */
export async function endSession(app: App, tx: Tx, session: { id: string; userId: string }): Promise<void> {
  const row = await store.sessionById(tx, session);
  if (!row || !isValid(app, row)) throw notFound('session');
  await end(app, tx, [row.id]);
}

/** Ends all sessions of a person, except `keptId`. */
export async function endSessionsOf(app: App, tx: Tx, userId: string, keptId?: string): Promise<void> {
  const ids = await sessionIdsOf(tx, userId);
  await end(
    app,
    tx,
    ids.filter((id) => id !== keptId),
  );
}

/** The ids of a person's sessions, newest first. */
export const sessionIdsOf = async (db: Queryable, userId: string): Promise<string[]> =>
  (await store.sessionsOf(db, userId)).map(({ id }) => id);

async function end(app: App, tx: Tx, ids: readonly string[]): Promise<void> {
  await store.deleteSessions(tx, ids);
  onCommit(tx, () => forgetUses(app, ids));
}

/** Forgets when sessions that have ended were used. */
export function forgetUses(app: App, ids: readonly string[]): void {
  for (const id of ids) lastUses(app).delete(id);
}

/** Deletes up to `limit` sessions that have expired. Returns whether there may be more. */
export async function pruneSessions(app: App, tx: Tx, limit: number): Promise<boolean> {
  const now = app.clock.now();
  for (const [id, at] of lastUses(app)) if (at <= now - idleMs(app)) lastUses(app).delete(id);
  const usedBefore = now - idleMs(app) - precisionMs(app);
  const deleted = await store.deleteOldSessions(tx, { madeBefore: now - maxAgeMs(app), usedBefore }, limit);
  return deleted === limit;
}
