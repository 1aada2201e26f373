import { transact, type Tx } from '../db/transaction.ts';
import { loginGuard } from '../features/organizations/log-in/login-guard.ts';
import { makeSetupLink } from '../features/organizations/people/links.ts';
import * as people from '../features/organizations/people/service.ts';
import { presentUser } from '../features/organizations/people/wire.ts';
import type { App } from '../kernel/app.ts';
import { email, object, text } from '../kernel/schema.ts';
import { audit, optionalOrgId, organizationFor, role, type Task, task } from './task.ts';

/** Changes a person in one transaction with the audit entry about it. */
async function change<T>(
  app: App,
  address: string,
  operation: string,
  run: (tx: Tx, person: people.User) => Promise<T>,
): Promise<T> {
  const person = await people.personByEmail(app.db, address);
  return transact(app.db, person.orgId, async (tx) => {
    const result = await run(tx, person);
    await audit(app, tx, person.orgId, operation, { id: person.id });
    return result;
  });
}

const byEmail = object({ email: email() });

/** The operator's tasks about people. An e-mail address is unique across organizations, so no organization has to be named with it. */
export const peopleTasks: readonly Task[] = [
  task(
    'users.create',
    object({ email: email(), role, password: text(4096), org_id: optionalOrgId }),
    async ({ app }, { password, org_id: wanted, ...user }) => {
      const passwordHash = await people.passwordHashOf(password);
      const owner = await organizationFor(app.db, wanted);
      return transact(app.db, owner, async (tx) => {
        const created = await people.createUser(app, tx, owner, { ...user, passwordHash });
        await audit(app, tx, created.orgId, 'users.create', { id: created.id });
        return { id: created.id, org_id: created.orgId };
      });
    },
  ),
  task('users.list', object({ org_id: optionalOrgId }), async ({ app }, { org_id: wanted }) => {
    const owner = wanted === undefined ? undefined : await organizationFor(app.db, wanted);
    const listed = await people.listPeople(app.db, owner);
    return listed.map((user) => ({ ...presentUser(user), org_id: user.orgId }));
  }),
  task('users.role', object({ email: email(), role }), ({ app }, args) =>
    change(app, args.email, 'users.role', async (_tx, { orgId, id }) => {
      await people.updatePerson(app, orgId, id, { role: args.role });
    }),
  ),
  task('users.remove', byEmail, ({ app }, args) =>
    change(app, args.email, 'users.remove', (_tx, { orgId, id }) => people.removePerson(app, orgId, id)),
  ),
  task('users.link', byEmail, ({ app }, args) =>
    change(app, args.email, 'users.link', async (_tx, { orgId, id }) => ({
      link: (await people.renewLink(app, orgId, id)).link,
    })),
  ),
  // Lock-outs are in the memory of the server, so there are none while it does not run.
  task('users.unlock', byEmail, ({ app }, args) =>
    change(app, args.email, 'users.unlock', (_tx, person) => {
      loginGuard(app).unlock(person.email);
      return Promise.resolve();
    }),
  ),
  task('users.setup_link', object({ org_id: optionalOrgId }), async ({ app }, { org_id: wanted }) => {
    const orgId = await organizationFor(app.db, wanted);
    return transact(app.db, orgId, async (tx) => {
      const link = await makeSetupLink(app, tx, orgId);
      await audit(app, tx, orgId, 'users.setup_link', {});
      return { link };
    });
  }),
];
