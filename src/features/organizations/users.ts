import { createHash } from 'node:crypto';
import { AppError, conflict, invalidAt } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Role } from '../../kernel/route.ts';
import { appendAudit } from '../requests/audit.ts';
import { hashPassword, maxPasswordLength, shortestPassword, verifyPassword } from './password.ts';
import * as store from './user-store.ts';

/** A person. The e-mail address is in lower case, and nobody else's in all organizations. */
export type User = { id: string; orgId: string; email: string; role: Role; createdAt: number };

/** After so many failures in so long an address is locked, until the first of them is older than that (contract, section 2). */
const mostFailures = 10;
const failureWindowMs = 15 * 60_000;
/** Each login takes so many attempts along that no longer count: the table stays as small as the last quarter of an hour. */
const sweepSize = 100;

/**
 * What is stored of a person's password. Apart from `createUser`, because it takes a while and that is a transaction.
 * @throws invalid for one that is too short or too long
 */
export async function passwordHashOf(password: string): Promise<string> {
  const length = Array.from(password).length;
  if (length >= shortestPassword && length <= maxPasswordLength) return hashPassword(password);
  throw invalidAt('password', `must have ${shortestPassword} to ${maxPasswordLength} characters`);
}

/**
 * Makes a person who can log in.
 * @throws conflict when the address is taken
 */
export async function createUser(
  app: App,
  tx: Tx,
  orgId: string,
  input: { email: string; role: Role; passwordHash: string },
): Promise<User> {
  const email = input.email.toLowerCase();
  if (await store.userByEmail(tx, email)) throw conflict(`There is a user with the address ${email} already.`);
  const user = { id: app.ids.make(), orgId, email, role: input.role, createdAt: app.clock.now() };
  await store.insertUser(tx, {
    id: user.id,
    organization_id: orgId,
    email,
    role: user.role,
    password_hash: input.passwordHash,
    created_at: user.createdAt,
    last_login_at: null,
  });
  return user;
}

/**
 * Who logs in. An unknown address and a wrong password are the same answer after the same work, and an unknown address is locked
 * like a known one. An attempt counts before the password is looked at, so that many at once are not more than many in a row.
 * @throws unauthenticated, always in the same words
 */
export async function logIn(
  app: App,
  input: { email: string; password: string },
  request: { requestId: string; ip: string },
): Promise<User> {
  const email = input.email.toLowerCase();
  const emailHash = createHash('sha256').update(email).digest('hex');
  const row = await transact(app.db, `login:${emailHash}`, async (tx) => {
    const now = app.clock.now();
    const windowStart = now - failureWindowMs;
    if ((await store.attemptsSince(tx, emailHash, windowStart)) >= mostFailures) throw refused();
    await store.deleteAttemptsUpTo(tx, windowStart, sweepSize);
    await store.insertAttempt(tx, emailHash, now);
    return store.userByEmail(tx, email);
  });
  const isRight = await verifyPassword(input.password, row?.password_hash);
  if (!row || !isRight) throw refused();
  await transact(app.db, row.organization_id, async (tx) => {
    await store.deleteAttemptsOf(tx, emailHash);
    await store.setLastLogin(tx, row.id, app.clock.now());
    const actor = { kind: 'token', id: row.id } as const;
    await appendAudit(app, tx, { orgId: row.organization_id, actor, operation: 'logIn', target: {}, ...request });
  });
  return { id: row.id, orgId: row.organization_id, email, role: row.role, createdAt: row.created_at };
}

const refused = (): AppError =>
  new AppError(
    'unauthenticated',
    `The e-mail address or the password is wrong; after ${mostFailures} failures an address is locked for 15 minutes.`,
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
