import type { TObject } from '../base/typebox.ts';
import { AppError, notFound } from '../base/errors.ts';
import { installation, type Queryable, transact, type Tx } from '../db/transaction.ts';
import { presentKey } from '../features/organizations/api-key-wire.ts';
import * as organizations from '../features/organizations/service.ts';
import { createUser, passwordHashOf } from '../features/organizations/users.ts';
import { operator, appendAudit } from '../features/requests/audit.ts';
import { createValidator } from '../http/input/schema-validator.ts';
import type { App } from '../kernel/app.ts';
import { roles } from '../kernel/route.ts';
import { email, id, label, object, oneOf, optional, type Static, text } from '../kernel/schema.ts';
import { backUp } from './backup.ts';
import type { ControlRequest } from './control/protocol.ts';
import { diagnose } from './diagnostics.ts';
import { rotateEncryptionKey } from './rotate-encryption-key.ts';
import type { TaskContext } from './task-context.ts';

type Task = { name: string; args: TObject; run(context: TaskContext, args: never): Promise<unknown> };

const task = <A extends TObject>(
  name: string,
  args: A,
  run: (context: TaskContext, args: Static<A>) => Promise<unknown>,
): Task => ({ name, args, run });

const role = oneOf(roles);
const optionalOrgId = optional(id('organization'));

/** The operator's tasks outside the HTTP API. They check no rights, because whoever can request them could also open the database. */
const tasks: readonly Task[] = [
  task('orgs.create', object({ name: label() }), ({ app }, { name }) =>
    transact(app.db, installation, async (tx) => {
      const orgId = await organizations.createOrganization(app, tx, name);
      await audit(app, tx, orgId, 'orgs.create', {});
      return { id: orgId };
    }),
  ),
  task(
    'users.create',
    object({ email: email(), role, password: text(4096), org_id: optionalOrgId }),
    async ({ app }, { password, org_id: wanted, ...user }) => {
      const passwordHash = await passwordHashOf(password);
      const owner = await organizationFor(app.db, wanted);
      return transact(app.db, owner, async (tx) => {
        const created = await createUser(app, tx, owner, { ...user, passwordHash });
        await audit(app, tx, created.orgId, 'users.create', { id: created.id });
        return { id: created.id, org_id: created.orgId };
      });
    },
  ),
  task(
    'keys.create',
    object({ name: label(100), role, org_id: optionalOrgId }),
    async ({ app }, { org_id: wanted, ...key }) => {
      const owner = await organizationFor(app.db, wanted);
      return transact(app.db, owner, async (tx) => {
        const created = await organizations.createApiKey(app, tx, owner, key);
        await audit(app, tx, owner, 'keys.create', { id: created.id });
        return { id: created.id, api_key: created.apiKey, org_id: owner };
      });
    },
  ),
  task('keys.list', object({ org_id: optionalOrgId }), async ({ app }, { org_id: wanted }) => {
    const rows = await organizations.listApiKeys(
      app,
      await organizationFor(app.db, wanted ?? (await organizations.firstOrganization(app.db))),
    );
    return rows.map(presentKey);
  }),
  task('keys.revoke', object({ id: id('API key') }), async ({ app }, args) => {
    const owner = await organizations.organizationOfApiKey(app.db, args.id);
    if (owner === undefined) throw notFound('API key');
    await transact(app.db, owner, async (tx) => {
      await organizations.revokeApiKey(app, owner, args.id);
      await audit(app, tx, owner, 'keys.revoke', { id: args.id });
    });
  }),
  task('backup', object({ file: text(4096, 1) }), (context, { file }) => backUp(context, file)),
  task('secrets.rotate', object({}), ({ app }) => rotateEncryptionKey(app)),
  task('doctor', object({}), diagnose),
];

/** Writes the task into the audit log of the organization it concerns. */
const audit = (app: App, tx: Tx, owner: string, operation: string, target: Record<string, string>): Promise<void> =>
  appendAudit(app, tx, { orgId: owner, actor: operator, operation, target, requestId: null, ip: null });

/** More would fill the screen; the message then says that there are more. */
const maxNamed = 20;

/**
 * The requested organization or, if none was requested, the only one.
 * @throws conflict that names the organizations when there are several: a key of the wrong one would open somebody else's data
 */
async function organizationFor(db: Queryable, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    if (!(await organizations.organizationExists(db, wanted))) throw notFound('organization');
    return wanted;
  }
  const [only, ...others] = await organizations.oldestOrganizations(db, maxNamed + 1);
  if (only === undefined)
    throw new AppError('conflict', 'There is no organization yet; create one with: parley orgs create NAME');
  if (others.length === 0) return only.id;
  const named = [only, ...others].slice(0, maxNamed).map((one) => `  ${one.id}  ${one.name}`);
  const more = others.length < maxNamed ? [] : ['  and more'];
  throw new AppError(
    'conflict',
    ['There are several organizations; choose one with --org ID:', ...named, ...more].join('\n'),
  );
}

const byName = new Map(
  tasks.map((one) => [one.name, { ...one, check: createValidator(one.args, { noun: 'parameter' }) }]),
);

/** @throws AppError with a message for the operator, if the task is unknown, its arguments are invalid, or it fails */
export const performTask =
  (context: TaskContext) =>
  (request: ControlRequest): Promise<unknown> => {
    const known = byName.get(request.task);
    if (!known)
      throw new AppError('invalid', `The running server has no task ${request.task}; it may be another version.`);
    const { value, faults } = known.check(request.args);
    if (faults.length > 0) {
      throw new AppError('invalid', faults.map(({ path, message }) => `${path} ${message}`).join('\n'));
    }
    return known.run(context, value as never);
  };
