import { conflict, invalidAt, notFound } from '../../../base/errors.ts';
import { onCommit, type Queryable, transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Role } from '../../../kernel/route.ts';
import { requireRoom } from '../../../kernel/unpaged.ts';
import { hashPassword, maxPasswordLength, minPasswordLength } from '../log-in/password.ts';
import { endSessionsOf, forgetUses, sessionIdsOf } from '../sessions/service.ts';
import { personLinked } from './events.ts';
import { endLinks, makePersonLink } from './links.ts';
import * as store from './store.ts';

/** A person who can log in, or is invited to. The e-mail address is in lower case and unique across all organizations. */
export type User = {
  id: string;
  orgId: string;
  email: string;
  role: Role;
  createdAt: number;
  lastLoginAt: number | null;
  /** Invited: the person has no password yet. */
  status: 'active' | 'invited';
  /** May not log in. */
  isDisabled: boolean;
  /** How often they were disabled (tokens.ts). */
  disabledCount: number;
};

export const userOf = (row: store.UserRow): User => ({
  id: row.id,
  orgId: row.organization_id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
  status: row.password_hash === null ? 'invited' : 'active',
  isDisabled: row.disabled_at !== null,
  disabledCount: row.disabled_count,
});

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
 * Creates a person. Without a password they are invited, and need a link. The first person of an organization ends its set-up link.
 * @throws conflict when the e-mail address is taken, or the organization has as many people as it may
 */
export async function createUser(
  app: App,
  tx: Tx,
  orgId: string,
  input: { email: string; role: Role; passwordHash: string | null },
): Promise<User> {
  const email = input.email.toLowerCase();
  if (await store.userByEmail(tx, email)) throw conflict(`A user with the e-mail address ${email} already exists.`);
  await requireRoom(tx, orgId, store.userList);
  if (!(await store.hasUsers(tx, orgId))) await endLinks(tx, { organization_id: orgId, user_id: null });
  const row: store.UserRow = {
    id: app.ids.make(),
    organization_id: orgId,
    email,
    role: input.role,
    password_hash: input.passwordHash,
    created_at: app.clock.now(),
    last_login_at: null,
    disabled_at: null,
    disabled_count: 0,
  };
  await store.insertUser(tx, row);
  return userOf(row);
}

export const hasPeople = (db: Queryable, orgId: string): Promise<boolean> => store.hasUsers(db, orgId);

/** The people of an organization or, for the operator, of all; newest first. */
export const listPeople = async (db: Queryable, orgId?: string): Promise<User[]> =>
  (await store.usersOf(db, orgId)).map(userOf);

/** @throws notFound when there is no person with this e-mail address */
export async function personByEmail(db: Queryable, email: string): Promise<User> {
  const row = await store.userByEmail(db, email.toLowerCase());
  if (!row) throw notFound('user');
  return userOf(row);
}

/** @throws notFound unless the organization has this person */
async function personOf(db: Queryable, orgId: string, id: string): Promise<User> {
  const row = await store.userById(db, orgId, id);
  if (!row) throw notFound('user');
  return userOf(row);
}

/** A person with the link that they need to set a password. This is the only time that the link is available. */
export type LinkedUser = User & { link: string };

/**
 * Creates a person without a password, and a link with which they set one.
 * @throws conflict when the e-mail address is taken
 */
export const invite = (app: App, orgId: string, input: { email: string; role: Role }): Promise<LinkedUser> =>
  transact(app.db, orgId, async (tx) =>
    linked(app, tx, await createUser(app, tx, orgId, { ...input, passwordHash: null })),
  );

/**
 * Makes a new link for a person, also for one who has forgotten the password: the old one works until the link is used.
 * @throws notFound unless the organization has this person; conflict when they are disabled
 */
export const renewLink = (app: App, orgId: string, id: string): Promise<LinkedUser> =>
  transact(app.db, orgId, async (tx) => linked(app, tx, await personOf(tx, orgId, id)));

async function linked(app: App, tx: Tx, user: User): Promise<LinkedUser> {
  if (user.isDisabled) throw conflict(`${user.email} is disabled; enable them before you make a link.`);
  const link = await makePersonLink(app, tx, user);
  const { orgId, id: userId, email, status } = user;
  await app.events.emit(app, tx, personLinked, { orgId, userId, email, isInvited: status === 'invited', link });
  return { ...user, link };
}

/**
 * Changes a person's role, from their next request on, and whether they may log in. Disabling ends their sessions, tokens and links for good;
 * the person stays in lists and in the audit log.
 * @throws notFound unless the organization has this person; conflict when they are the last admin
 */
export const updatePerson = (
  app: App,
  orgId: string,
  id: string,
  { role, disabled }: { role?: Role; disabled?: boolean },
): Promise<User> =>
  transact(app.db, orgId, async (tx) => {
    const user = await personOf(tx, orgId, id);
    const changed: User = { ...user, role: role ?? user.role, isDisabled: disabled ?? user.isDisabled };
    if (changed.role !== 'admin' || changed.isDisabled) await requireAnotherAdmin(tx, user);
    const isSwitched = changed.isDisabled !== user.isDisabled;
    if (isSwitched && changed.isDisabled) changed.disabledCount += 1;
    await store.updateUser(tx, id, {
      role: changed.role,
      ...(isSwitched && { disabled_at: changed.isDisabled ? app.clock.now() : null }),
      disabled_count: changed.disabledCount,
    });
    if (changed.isDisabled) {
      await endSessionsOf(app, tx, id);
      await endLinks(tx, { organization_id: orgId, user_id: id });
    }
    return changed;
  });

/**
 * Removes a person with their sessions and links.
 * @throws notFound unless the organization has this person; conflict when they are the last admin
 */
export const removePerson = (app: App, orgId: string, id: string): Promise<void> =>
  transact(app.db, orgId, async (tx) => {
    await requireAnotherAdmin(tx, await personOf(tx, orgId, id));
    const sessions = await sessionIdsOf(tx, id);
    await store.deleteUser(tx, id);
    onCommit(tx, () => forgetUses(app, sessions));
  });

/**
 * Requires that an admin who can log in remains. An invited admin has no password yet, so they can take the place only of another invited
 * admin.
 * @throws conflict when nobody can take the user's place
 */
async function requireAnotherAdmin(tx: Tx, user: User): Promise<void> {
  if (user.role !== 'admin' || user.isDisabled) return;
  const people = await listPeople(tx, user.orgId);
  const isAnother = ({ id, role, status, isDisabled }: User): boolean =>
    id !== user.id && role === 'admin' && !isDisabled && (status === 'active' || user.status === 'invited');
  if (people.some(isAnother)) return;
  throw conflict(
    `${user.email} is the last admin of the organization who can log in; make somebody else an admin before you change that.`,
  );
}
