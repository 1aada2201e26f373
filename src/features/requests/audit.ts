import type { Queryable } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Caller } from '../../kernel/route.ts';
import * as store from './store.ts';

/** Who did something: somebody with an API key or a token, or the operator on the machine itself. */
export type Actor = { kind: 'api_key' | 'token'; id: string } | { kind: 'operator'; id: null };

/** Something that was done. What was said in doing it (names, numbers, secrets) is not in it. */
export type NewAuditEntry = {
  orgId: string;
  actor: Actor;
  /** The `operationId` of the interface, or the operator's command. */
  operation: string;
  /** What it was done to and what it made: ids by name. */
  target: Readonly<Record<string, string>>;
  requestId: string | null;
  ip: string | null;
};

export type AuditEntry = NewAuditEntry & { id: string; at: number };

export const actorOf = ({ via, subject }: Caller): Actor => ({ kind: via, id: subject });
export const operator: Actor = { kind: 'operator', id: null };

/** Writes a deed down: in the transaction in which it is done, so that neither stands without the other. */
export function appendAudit(app: App, db: Queryable, deed: NewAuditEntry): Promise<void> {
  return store.insertAuditRow(db, {
    id: app.ids.make(),
    organization_id: deed.orgId,
    at: app.clock.now(),
    actor_kind: deed.actor.kind,
    actor_id: deed.actor.id,
    operation: deed.operation,
    target: JSON.stringify(deed.target),
    request_id: deed.requestId,
    ip: deed.ip,
  });
}

/** What was done in an organization, newest first. */
export async function auditLog(db: Queryable, orgId: string, page: Page): Promise<Paged<AuditEntry>> {
  const { items, total } = await store.auditPage(db, orgId, page);
  return { items: items.map(entryOf), total };
}

const entryOf = (row: store.AuditRow): AuditEntry => ({
  id: row.id,
  orgId: row.organization_id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id } as Actor,
  operation: row.operation,
  target: JSON.parse(row.target) as Record<string, string>,
  requestId: row.request_id,
  ip: row.ip,
});

/** An id is not longer; what is, is some text that happens to be called so. */
const longestId = 200;
const isId = (name: string): boolean => /^(?:.*_)?id$/.test(name) && !/^org(?:anization)?_id$/.test(name);

/** The ids that a path or an answer names, the organization's apart. */
export function idsIn(...values: readonly unknown[]): Record<string, string> {
  const fields = values.flatMap((value) => (value !== null && typeof value === 'object' ? Object.entries(value) : []));
  const ids = fields.filter(([name, id]) => isId(name) && typeof id === 'string' && id.length <= longestId);
  return Object.fromEntries(ids);
}
