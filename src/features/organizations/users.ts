import { createHash } from 'node:crypto';
import { AppError, conflict, invalidAt } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Role } from '../../kernel/route.ts';
import { appendAudit } from '../requests/audit.ts';
import { hashPassword, maxPasswordLength, minPasswordLength, verifyPassword } from './password.ts';
import * as store from './user-store.ts';

/** A person who can log in. The e-mail address is in lower case and unique across all organizations. */
export type User = { id: string; orgId: string; email: string; role: Role; createdAt: number };

/** This many failures within the window lock an e-mail address until the first of them leaves the window (contract, section 2). */
const maxFailures = 10;
const failureWindowMs = 15 * 60_000;
/** Expired attempts that each log-in deletes, so that the table only holds those of the last 15 minutes. */
const sweepSize = 100;

/**
 * The hash to pass to `createUser`. Separate, because hashing is slow and `createUser` runs in a transaction.
 * @throws invalid for a password that is too short or too long
 */
export async function passwordHashOf(password: string): Promise<string> {
  const length = Array.from(password).length;
  if (length >= minPasswordLength && length <= maxPasswordLength) return hashPassword(password);
  throw invalidAt('password', `must have ${minPasswordLength} to ${maxPasswordLength} characters`);
}

/**
 * Creates a person who can log in.
 * @throws conflict when the e-mail address is taken
 */
export async function createUser(
  app: App,
  tx: Tx,
  orgId: string,
  input: { email: string; role: Role; passwordHash: string },
): Promise<User> {
  const email = input.email.toLowerCase();
  if (await store.userByEmail(tx, email)) throw conflict(`A user with the e-mail address ${email} already exists.`);
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
 * Logs a person in. An unknown address gets the same answer as a wrong password, after the same work, and is locked in the same way.
 * An attempt counts before its password is verified, so that parallel attempts cannot exceed the limit.
 * @throws unauthenticated, always with the same message
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
    if ((await store.attemptsSince(tx, emailHash, windowStart)) >= maxFailures) throw loginRefused();
    await store.deleteAttemptsUpTo(tx, windowStart, sweepSize);
    await store.insertAttempt(tx, emailHash, now);
    return store.userByEmail(tx, email);
  });
  const isRight = await verifyPassword(input.password, row?.password_hash);
  if (!row || !isRight) throw loginRefused();
  await transact(app.db, row.organization_id, async (tx) => {
    await store.deleteAttemptsOf(tx, emailHash);
    await store.setLastLogin(tx, row.id, app.clock.now());
    const actor = { kind: 'token', id: row.id } as const;
    await appendAudit(app, tx, { orgId: row.organization_id, actor, operation: 'logIn', target: {}, ...request });
  });
  return { id: row.id, orgId: row.organization_id, email, role: row.role, createdAt: row.created_at };
}

const loginRefused = (): AppError =>
  new AppError(
    'unauthenticated',
    `The e-mail address or the password is wrong; after ${maxFailures} failures the address is locked for 15 minutes.`,
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
