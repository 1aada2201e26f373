import type { Config } from '../base/config/schema.ts';
import { AppError, notFound } from '../base/errors.ts';
import { Type } from '../base/typebox.ts';
import { installation, transact } from '../db/transaction.ts';
import { presentKey } from '../features/organizations/api-key-wire.ts';
import * as organizations from '../features/organizations/service.ts';
import { createValidator } from '../http/input/schema-validator.ts';
import { id, label, object, text } from '../kernel/schema.ts';
import { backUp } from './backup.ts';
import type { ControlRequest } from './control/protocol.ts';
import { diagnose } from './diagnostics.ts';
import { eventTasks } from './event-tasks.ts';
import { contextFor } from './given-configuration.ts';
import { peopleTasks } from './people-tasks.ts';
import { prepareEncryptionKey, rotateEncryptionKey } from './rotate-encryption-key.ts';
import { audit, optionalOrgId, organizationFor, role, type Task, task } from './task.ts';
import type { TaskContext } from './task-context.ts';

/** The operator's tasks outside the HTTP API. They check no rights, because whoever can request them could also open the database. */
const tasks: readonly Task[] = [
  task('orgs.create', object({ name: label() }), ({ app }, { name }) =>
    transact(app.db, installation, async (tx) => {
      const orgId = await organizations.createOrganization(app, tx, name);
      await audit(app, tx, orgId, 'orgs.create', {});
      return { id: orgId };
    }),
  ),
  task('orgs.list', object({}), ({ app }) => organizations.listOrganizations(app.db)),
  ...peopleTasks,
  ...eventTasks,
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
  task(
    'backup',
    object({ file: text(4096, 1), recordings: Type.Optional(Type.Boolean()) }),
    (context, { file, recordings = false }) => backUp(context, file, { recordings }),
  ),
  task('secrets.prepare', object({}), prepareEncryptionKey),
  task('secrets.rotate', object({}), rotateEncryptionKey),
  task('doctor', object({ config: Type.Optional(Type.Object({})) }), async (running, { config }) => {
    if (config === undefined) return diagnose(running);
    const { context, findings } = contextFor(running, config as Config);
    return [...findings, ...(await diagnose(context))];
  }),
];

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
