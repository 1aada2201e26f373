import { actorOf, idsIn, nameBeforeDeletion, type NewAuditEntry } from '../features/requests/audit.ts';
import type { App } from '../kernel/app.ts';
import type { Caller, Route } from '../kernel/route.ts';

type AuditedRequest = { caller: Caller; params: object; query: object; requestId: string; ip: string };

/** The audit entry of a request; its target consists of the ids in the path, the query and the answer. */
export const auditEntryOf = (
  route: Route,
  { caller, params, query, requestId, ip }: AuditedRequest,
  { data, auditTarget }: { data?: unknown; auditTarget?: Readonly<Record<string, string>> },
  { changes, targetName }: Pick<NewAuditEntry, 'changes' | 'targetName'>,
): NewAuditEntry => ({
  orgId: caller.orgId,
  actor: actorOf(caller),
  operation: route.operationId,
  target: { ...targetOf({ ...idsIn(query), ...(params as Record<string, string>) }, idsIn(data)), ...auditTarget },
  requestId,
  ip,
  changes,
  targetName,
});

/** The name of the thing that a request is about to delete. */
export const nameBefore = (app: App, { operationId }: Route, { caller, params }: AuditedRequest) =>
  nameBeforeDeletion(app.db, {
    operation: operationId,
    target: params as Record<string, string>,
    orgId: caller.orgId,
  });

/** The answer's `id` is recorded as `new_id` if the path has another `id`: then something was created under the resource of the path. */
const targetOf = (
  idsInRequest: Record<string, string>,
  { id, ...otherIds }: Record<string, string>,
): Record<string, string> => ({
  ...idsInRequest,
  ...otherIds,
  ...(id === undefined || id === idsInRequest['id']
    ? {}
    : { [idsInRequest['id'] === undefined ? 'id' : 'new_id']: id }),
});
