import { nextMacrotask } from '../../base/clock.ts';
import { type Queryable, transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Caller } from '../../kernel/route.ts';
import type { Actor } from './actor.ts';
import { auditedOperation, type TargetKind, targetIdOf, type Verb } from './audited-operations.ts';
import { type Change, changesOfEntries, type EntryDetails, insertChanges, type RecordedChanges } from './changes.ts';
import * as store from './store.ts';
import { nameOfThing } from './target-names-store.ts';

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
  /** The name of a thing that is gone when the entry is written. */
  targetName?: string | null | undefined;
};

export type AuditEntry = Omit<NewAuditEntry, 'changes'> & {
  id: string;
  at: number;
  changes: Change[] | null;
  targetKind: TargetKind | null;
  targetId: string | null;
  targetName: string | null;
};

export const actorOf = ({ via, subject, name }: Caller): Actor => ({ kind: via, id: subject, name });
export const operator: Actor = { kind: 'operator', id: null, name: null };
export const anonymous: Actor = { kind: 'anonymous', id: null, name: null };

/** Appends an entry to the audit log. Call it in the transaction of the change, so that both commit or neither does. */
export async function appendAudit(app: App, db: Queryable, entry: NewAuditEntry): Promise<void> {
  const id = app.ids.make();
  const { kind, targetId, name } = await subjectOf(db, entry);
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
    verb: verbOf(entry),
    target_kind: kind,
    target_id: targetId,
    target_name: kind === 'contact' ? null : name,
  });
  const personName = kind === 'contact' ? name : null;
  if (entry.changes || personName !== null) {
    const { targetId: changed = targetId!, version = null, changes = null } = entry.changes ?? {};
    await insertChanges(db, id, { targetId: changed, version, changes, targetName: personName });
  }
}

/** The thing that an entry is about. A contact that was deleted keeps no name in the log. */
async function subjectOf(db: Queryable, { operation, target, orgId, targetName }: NewAuditEntry) {
  const kind = auditedOperation(operation)?.kind ?? null;
  const targetId = targetIdOf(kind, target, orgId);
  if (kind === null || targetId === null) return { kind, targetId, name: null };
  if (operation === 'deleteContact' || operation === 'eraseContact') return { kind, targetId, name: null };
  return { kind, targetId, name: targetName ?? (await nameOfThing(db, { kind, id: targetId, orgId })) };
}

/** A request that starts, pauses or completes a campaign is an update by its operation, but people look for what it did. */
function verbOf({ operation, changes }: NewAuditEntry): Verb | null {
  const status = operation === 'updateCampaign' && changes?.changes.find(({ field }) => field === 'status');
  if (status) return status.after === 'active' ? 'start' : 'stop';
  return auditedOperation(operation)?.verb ?? null;
}

/** The name of what a request is about to delete; undefined if it is about no thing. */
export async function nameBeforeDeletion(
  db: Queryable,
  { operation, target, orgId }: Pick<NewAuditEntry, 'operation' | 'target' | 'orgId'>,
): Promise<string | null | undefined> {
  const known = auditedOperation(operation);
  const id = targetIdOf(known?.kind ?? null, target, orgId);
  if (known?.verb !== 'delete' || id === null) return undefined;
  return nameOfThing(db, { kind: known.kind!, id, orgId });
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
  return { items: items.map((row) => entryOf(row, changes.get(row.id))), ...meta };
}

/** Takes a text, such as a phone number, out of the targets of all entries of an organization. */
export async function forgetTarget(app: App, orgId: string, text: string): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await store.auditRowsAfter(app.db, orgId, after);
    for (const row of rows.filter(({ target }) => target.includes(text))) {
      const kept = Object.entries(JSON.parse(row.target) as Record<string, string>).filter(
        ([, value]) => !value.includes(text),
      );
      const target = JSON.stringify(Object.fromEntries(kept));
      await transact(app.db, orgId, (tx) => store.rewriteAuditRow(tx, { ...row, target }));
    }
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await nextMacrotask();
  }
}

const entryOf = (row: store.AuditRow, details: EntryDetails | undefined): AuditEntry => ({
  id: row.id,
  orgId: row.organization_id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name } as Actor,
  operation: row.operation,
  target: JSON.parse(row.target) as Record<string, string>,
  requestId: row.request_id,
  ip: row.ip,
  changes: details?.changes ?? null,
  targetKind: row.target_kind as TargetKind | null,
  targetId: row.target_id,
  targetName: row.target_name ?? details?.targetName ?? null,
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
