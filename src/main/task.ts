import type { TObject } from '../base/typebox.ts';
import { AppError, notFound } from '../base/errors.ts';
import type { Queryable, Tx } from '../db/transaction.ts';
import * as organizations from '../features/organizations/service.ts';
import { appendAudit, operator } from '../features/requests/audit.ts';
import type { App } from '../kernel/app.ts';
import { roles } from '../kernel/route.ts';
import { id, oneOf, optional, type Static } from '../kernel/schema.ts';
import type { TaskContext } from './task-context.ts';

/** A task of the operator: its name and arguments as they pass the control socket. */
export type Task = { name: string; args: TObject; run(context: TaskContext, args: never): Promise<unknown> };

export const task = <A extends TObject>(
  name: string,
  args: A,
  run: (context: TaskContext, args: Static<A>) => Promise<unknown>,
): Task => ({ name, args, run });

export const role = oneOf(roles);
export const optionalOrgId = optional(id('organization'));

/** Writes the task into the audit log of the organization it concerns. */
export const audit = (
  app: App,
  tx: Tx,
  owner: string,
  operation: string,
  target: Record<string, string>,
): Promise<void> =>
  appendAudit(app, tx, { orgId: owner, actor: operator, operation, target, requestId: null, ip: null });

/** More would fill the screen; the message then says that there are more. */
const maxNamed = 20;

/**
 * The requested organization or, if none was requested, the only one.
 * @throws conflict that names the organizations when there are several: a key of the wrong one would open somebody else's data
 */
export async function organizationFor(db: Queryable, wanted: string | undefined): Promise<string> {
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
