import { pause } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { senderOf } from '../../base/outbound/addresses.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { anonymous, appendAudit } from '../requests/audit.ts';
import { appendSummed } from '../requests/audit-summary.ts';
import { type Attempt, loginGuard, maxFailures } from './login-guard.ts';
import { verifyPassword } from './password.ts';
import * as store from './user-store.ts';
import type { User } from './users.ts';

type Credentials = { email: string; password: string };
type LoginRequest = { requestId: string; ip: string };

/**
 * Logs a person in (contract, section 2). An unknown address gets the same answer as a wrong password and as a lock, and is locked in
 * the same way.
 * @throws unauthenticated, always with the same message, for an unknown address, a wrong password or a lock
 * @throws rate_limited when too many log-ins wait
 */
export async function logIn(app: App, input: Credentials, request: LoginRequest): Promise<User> {
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
    if (!person) throw loginRefused(); // removed while the password was verified
    const now = app.clock.now();
    await store.setLastLogin(tx, person.id, now);
    await store.putLoginAddress(tx, person.id, sender, now);
    const actor = { kind: 'token', id: person.id } as const;
    await appendAudit(app, tx, { orgId: person.organization_id, actor, operation: 'logIn', target: {}, ...request });
    return { id: person.id, orgId: person.organization_id, email, role: person.role, createdAt: person.created_at };
  });
}

/** Records a failed log-in of an existing person. Not of unknown addresses: they have no organization, and strangers could fill the log. */
async function recordFailure(
  app: App,
  { id, organization_id: orgId }: store.UserRow,
  { sender, locks, ...request }: LoginRequest & { sender: string; locks: boolean },
): Promise<void> {
  const entry = { orgId, actor: anonymous, target: { id }, ...request };
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
    return await verifyPassword(password, row?.password_hash, { sender, isTrusted });
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
