import type { Queryable } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Caller } from '../../kernel/route.ts';
import type { Actor } from './actor.ts';
import { type Change, changesOfEntries, insertChanges, type RecordedChanges } from './changes.ts';
import * as store from './store.ts';

export type { Actor };

/** A change or a refusal to record. Only `changes` contains values from the request. */
export type NewAuditEntry = {
  orgId: string;
  actor: Actor;
  /** The `operationId` of the route, `<operationId>.refused` and the like, or the operator's command, such as `keys.create`. */
  operation: string;
  /** The ids of what was changed or created, by name; in a summary also `count`, how often it happened. */
  target: Readonly<Record<string, string>>;
  requestId: string | null;
  ip: string | null;
  changes?: RecordedChanges | undefined;
};

export type AuditEntry = Omit<NewAuditEntry, 'changes'> & { id: string; at: number; changes: Change[] | null };

export const actorOf = ({ via, subject, name }: Caller): Actor => ({ kind: via, id: subject, name });
export const operator: Actor = { kind: 'operator', id: null, name: null };
export const anonymous: Actor = { kind: 'anonymous', id: null, name: null };

/** Appends an entry to the audit log. Call it in the transaction of the change, so that both commit or neither does. */
export async function appendAudit(app: App, db: Queryable, entry: NewAuditEntry): Promise<void> {
  const id = app.ids.make();
  await store.insertAuditRow(db, {
    id,
    organization_id: entry.orgId,
    at: app.clock.now(),
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    operation: entry.operation,
    target: JSON.stringify(entry.target),
    request_id: entry.requestId,
    ip: entry.ip,
  });
  if (entry.changes) await insertChanges(db, id, entry.changes);
}

/** The audit log of an organization, newest first. */
export async function auditLog(
  db: Queryable,
  orgId: string,
  filter: store.AuditFilter,
  page: Page,
): Promise<Paged<AuditEntry>> {
  const { items, ...meta } = await store.auditPage(db, orgId, filter, page);
  const changes = await changesOfEntries(
    db,
    items.map(({ id }) => id),
  );
  return { items: items.map((row) => entryOf(row, changes.get(row.id) ?? null)), ...meta };
}

const entryOf = (row: store.AuditRow, changes: Change[] | null): AuditEntry => ({
  id: row.id,
  orgId: row.organization_id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name } as Actor,
  operation: row.operation,
  target: JSON.parse(row.target) as Record<string, string>,
  requestId: row.request_id,
  ip: row.ip,
  changes,
});

/** A longer value is not an id, even if the field has the name of an id. */
const maxIdLength = 200;
const isId = (name: string): boolean => /^(?:.*_)?id$/.test(name) && !/^org(?:anization)?_id$/.test(name);

/** All ids in a path or an answer, except the organization's. */
export function idsIn(...values: readonly unknown[]): Record<string, string> {
  const fields = values.flatMap((value) => (value !== null && typeof value === 'object' ? Object.entries(value) : []));
  const ids = fields.filter(([name, id]) => isId(name) && typeof id === 'string' && id.length <= maxIdLength);
  return Object.fromEntries(ids);
}
