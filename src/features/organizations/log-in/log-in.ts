import { pause } from '../../../base/clock.ts';
import { AppError, invalidAt } from '../../../base/errors.ts';
import { senderOf } from '../../../base/outbound/addresses.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Caller } from '../../../kernel/route.ts';
import { type Actor, anonymous, appendAudit } from '../../requests/audit.ts';
import { appendSummed } from '../../requests/audit-summary.ts';
import { endLinks } from '../people/links.ts';
import { passwordHashOf, type User, userOf } from '../people/service.ts';
import { recordLogIn } from '../people/set-up.ts';
import * as store from '../people/store.ts';
import { endSession, endSessionsOf, type OpenedSession, openSession, sessionEnd } from '../sessions/service.ts';
import type { SessionRequest } from '../sessions/service.ts';
import { type Attempt, loginGuard, maxFailures } from './login-guard.ts';
import { verifyPassword } from './password.ts';

type Credentials = { email: string; password: string };
type LoginRequest = { requestId: string; ip: string };

/**
 * Logs a person in for an access token (docs/api/access.md, "Logging in"). An unknown address gets the same answer as a wrong password and
 * as a lock, and is locked in the same way.
 * @throws unauthenticated, always with the same message, for an unknown address, a wrong password or a lock
 * @throws rate_limited when too many log-ins wait
 */
export const logIn = (app: App, input: Credentials, request: LoginRequest): Promise<User> =>
  withRightPassword(app, input, request, async (tx, user) => {
    await record(app, tx, user, 'token', 'logIn', request);
    return user;
  });

/**
 * Logs a person in with a session of its own. `previous` is the session that the browser had; the new one replaces it.
 * @throws like `logIn`
 */
export const logInWithSession = (
  app: App,
  input: Credentials,
  request: SessionRequest,
  previous: Caller,
): Promise<OpenedSession> =>
  withRightPassword(app, input, request, async (tx, user) => {
    await record(app, tx, user, 'session', 'createSession', request);
    const { sessionId: id, subject: userId } = previous;
    if (id !== undefined && (await sessionEnd(app, { id, userId })) !== undefined)
      await endSession(app, tx, { id, userId });
    return openSession(app, tx, user, request);
  });

async function record(
  app: App,
  tx: Tx,
  user: User,
  kind: 'token' | 'session',
  operation: string,
  request: LoginRequest,
): Promise<void> {
  await recordLogIn(app, tx, user, request);
  const actor: Actor = { kind, id: user.id, name: user.email };
  const { requestId, ip } = request;
  await appendAudit(app, tx, { orgId: user.orgId, actor, operation, target: {}, requestId, ip });
}

/** Runs `run` in a transaction if the password is right. All ways to log in count their failures together. */
async function withRightPassword<T>(
  app: App,
  input: Credentials,
  request: LoginRequest,
  run: (tx: Tx, user: User) => Promise<T>,
): Promise<T> {
  const email = input.email.toLowerCase();
  const sender = senderOf(request.ip);
  const row = await store.userByEmail(app.db, email);
  const attempt = loginGuard(app).begin(email, sender, app.clock.now());
  if (!attempt || !(await isRight(app, { ...input, email }, sender, row, attempt)) || !row) {
    // Not awaited: a slower answer would tell a stranger that there is a person with this e-mail address.
    if (row) void recordFailure(app, row, { ...request, sender, locks: attempt?.locks === true });
    throw loginRefused();
  }
  attempt.succeeded();
  return transact(app.db, row.organization_id, async (tx) => {
    const person = await store.userByEmail(tx, email);
    // Removed, or given another password, while this one was verified; or disabled, which a stranger must not learn.
    if (person?.password_hash !== row.password_hash || person.disabled_at !== null) throw loginRefused();
    return run(tx, userOf(person));
  });
}

/**
 * Sets a new password for the person of a session, and ends their other sessions and their link.
 * @throws invalid when the current password is wrong; rate_limited when too many passwords wait to be verified
 */
export async function changePassword(
  app: App,
  caller: Caller,
  input: { currentPassword: string; newPassword: string },
  request: LoginRequest,
): Promise<void> {
  const { orgId, subject: userId } = caller;
  const row = await store.userById(app.db, orgId, userId);
  const sender = senderOf(request.ip);
  const attempt = row && loginGuard(app).begin(row.email, sender, app.clock.now());
  const credentials = { email: row?.email ?? '', password: input.currentPassword };
  if (!row || !attempt || !(await isRight(app, credentials, sender, row, attempt))) {
    if (row) void recordFailure(app, row, { ...request, sender, locks: attempt?.locks === true });
    throw wrongCurrentPassword();
  }
  attempt.succeeded();
  const passwordHash = await passwordHashOf(input.newPassword);
  await transact(app.db, orgId, async (tx) => {
    const person = await store.userById(tx, orgId, userId);
    // Another change came first while the password was verified.
    if (person?.password_hash !== row.password_hash) throw wrongCurrentPassword();
    await store.updateUser(tx, userId, { password_hash: passwordHash });
    await endSessionsOf(app, tx, userId, caller.sessionId);
    await endLinks(tx, { organization_id: orgId, user_id: userId });
  });
}

const wrongCurrentPassword = (): AppError =>
  invalidAt('current_password', `is wrong; after ${maxFailures} failures it is locked for 15 minutes`);

/** Records a failed log-in of an existing person. Not of unknown addresses: they have no organization, and strangers could fill the log. */
async function recordFailure(
  app: App,
  { id, organization_id: orgId }: store.UserRow,
  { sender, locks, requestId, ip }: LoginRequest & { sender: string; locks: boolean },
): Promise<void> {
  const entry = { orgId, actor: anonymous, target: { id }, requestId, ip };
  await appendSummed(app, `logIn ${id} ${sender}`, { ...entry, operation: 'logIn.failed' });
  if (!locks) return;
  await transact(app.db, orgId, (tx) => appendAudit(app, tx, { ...entry, operation: 'logIn.locked' })).catch(
    (err: unknown) => app.log.warn({ err }, 'a lock-out could not be written to the audit log'),
  );
}

/** Whether the password is right. A log-in from an address that its person has logged in from before is not slowed down and goes first. */
async function isRight(
  app: App,
  { email, password }: Credentials,
  sender: string,
  row: store.UserRow | undefined,
  attempt: Attempt,
): Promise<boolean> {
  try {
    const isTrusted = await store.hasLoggedInFrom(app.db, { email, address: sender });
    const delayMs = isTrusted ? 0 : loginGuard(app).delayMs(email, app.clock.now());
    if (delayMs > 0) await pause(delayMs);
    return await verifyPassword(password, row?.password_hash ?? undefined, { sender, isTrusted });
  } catch (error) {
    attempt.abandoned();
    throw error;
  }
}

/** Whether a request that has not been validated yet is a log-in of a person from an address that they have logged in from. */
export async function isLogInFromKnownAddress(
  app: App,
  { body, ip }: { body: Buffer | undefined; ip: string },
): Promise<boolean> {
  const email = emailIn(body);
  return email !== undefined && store.hasLoggedInFrom(app.db, { email: email.toLowerCase(), address: senderOf(ip) });
}

function emailIn(body: Buffer | undefined): string | undefined {
  try {
    const { email } = JSON.parse(body?.toString() ?? '') as { email?: unknown };
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined; // not JSON, or not an object: nothing that could log in
  }
}

const loginRefused = (): AppError =>
  new AppError(
    'unauthenticated',
    `The e-mail address or the password is wrong; after ${maxFailures} failures the address is locked for 15 minutes.`,
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
