import { invalidAt } from '../../../base/errors.ts';
import { senderOf } from '../../../base/outbound/addresses.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Role } from '../../../kernel/route.ts';
import { appendAudit } from '../../requests/audit.ts';
import { organizationOf, updateOrganization } from '../service.ts';
import { endSessionsOf, type OpenedSession, openSession, type SessionRequest } from '../sessions/service.ts';
import { endLinks, type Link, validLink } from './links.ts';
import { createUser, passwordHashOf, type User, userOf } from './service.ts';
import * as store from './store.ts';

type SetUp = { token: string; email: string; password: string; organizationName?: string };

/**
 * Uses a link: makes the admin of an organization, or sets the password of a person who was invited or has forgotten theirs, and opens a
 * session. Of several uses at once one succeeds.
 * @throws unauthenticated for a link that does not work; invalid for another e-mail address than the person's; conflict when the e-mail
 *   address is taken
 */
export async function setUp(app: App, input: SetUp, request: SessionRequest): Promise<OpenedSession> {
  // Before the password is hashed: a stranger without a link must not make the server work.
  const link = await validLink(app, app.db, input.token);
  if (link.user_id !== null) await requireEmailOf(app, link, input.email);
  const passwordHash = await passwordHashOf(input.password);
  return transact(app.db, link.organization_id, async (tx) => {
    await validLink(app, tx, input.token); // it may have been used while the password was hashed
    const user = await setPassword(app, tx, link, { ...input, passwordHash });
    await endLinks(tx, link);
    await recordLogIn(app, tx, user, request);
    await appendAudit(app, tx, {
      orgId: user.orgId,
      actor: { kind: 'session', id: user.id, name: user.email },
      operation: 'setUp',
      target: { id: user.id },
      requestId: request.requestId,
      ip: request.ip,
    });
    return openSession(app, tx, user, request);
  });
}

export type Invitation = { organization: { id: string; name: string }; email: string | null; role: Role };

/**
 * What a link is for, so that whoever opens it is greeted. `email` is null for a set-up link, with which any person may become an admin.
 * @throws unauthenticated for a link that does not work
 */
export async function invitationOf(app: App, token: string): Promise<Invitation> {
  const link = await validLink(app, app.db, token);
  const person = link.user_id === null ? undefined : await store.userById(app.db, link.organization_id, link.user_id);
  const { id, name } = await organizationOf(app.db, link.organization_id);
  return { organization: { id, name }, email: person?.email ?? null, role: person ? userOf(person).role : 'admin' };
}

async function requireEmailOf(app: App, link: Link, email: string): Promise<void> {
  const person = await store.userById(app.db, link.organization_id, link.user_id!);
  if (person?.email !== email.toLowerCase())
    throw invalidAt('email', 'is not the e-mail address that this link was made for');
}

/**
 * Sets the password of a link's person, whom a set-up link creates. Only the organization's first person may set its name, because later
 * ones join an organization that others use.
 */
async function setPassword(
  app: App,
  tx: Tx,
  link: Link,
  { email, passwordHash, organizationName }: SetUp & { passwordHash: string },
): Promise<User> {
  const orgId = link.organization_id;
  if (link.user_id === null) {
    const isFirst = !(await store.hasUsers(tx, orgId));
    const user = await createUser(app, tx, orgId, { email, role: 'admin', passwordHash });
    if (isFirst && organizationName !== undefined) await updateOrganization(app, orgId, { name: organizationName });
    return user;
  }
  await store.updateUser(tx, link.user_id, { password_hash: passwordHash });
  await endSessionsOf(app, tx, link.user_id);
  return userOf((await store.userById(tx, orgId, link.user_id))!);
}

/** Remembers when and from where a person logged in. */
export async function recordLogIn(app: App, tx: Tx, { id }: Pick<User, 'id'>, { ip }: { ip: string }): Promise<void> {
  const now = app.clock.now();
  await store.updateUser(tx, id, { last_login_at: now });
  await store.putLoginAddress(tx, id, senderOf(ip), now);
}
