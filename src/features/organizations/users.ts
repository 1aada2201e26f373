import { conflict, invalidAt } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Role } from '../../kernel/route.ts';
import { hashPassword, maxPasswordLength, minPasswordLength } from './password.ts';
import * as store from './user-store.ts';

/** A person who can log in. The e-mail address is in lower case and unique across all organizations. */
export type User = { id: string; orgId: string; email: string; role: Role; createdAt: number };

/**
 * The hash to pass to `createUser`. Separate, because hashing is slow and `createUser` runs in a transaction.
 * @throws invalid for a password that is too short or too long; rate_limited when too many passwords wait to be hashed
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
