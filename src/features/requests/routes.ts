import { isoOf } from '../../base/clock.ts';
import { operation } from '../../kernel/route.ts';
import { id, list, nullable, object, oneOf, timestamp, Type } from '../../kernel/schema.ts';
import { type AuditEntry, auditLog } from './audit.ts';

const entrySchema = object(
  {
    id: id('audit entry'),
    at: timestamp(),
    actor: object({
      kind: oneOf(['api_key', 'token', 'operator', 'anonymous'], {
        description: "operator: a command on the server's machine; anonymous: a request without valid credentials",
      }),
      id: nullable(
        Type.String({ description: 'ID of the API key or user; for a token, of the key or user that created it' }),
      ),
    }),
    operation: Type.String({
      description:
        'operationId of this document, or a command such as keys.create. A suffix means that nothing was done: `.refused` by the role, `.failed` log-ins, `.locked` after too many of them',
    }),
    target: Type.Record(Type.String(), Type.String(), {
      description:
        'IDs of the affected and created resources, by name. Refusals and failed log-ins have one entry a minute at most; `count` says how many it stands for',
    }),
    request_id: nullable(Type.String()),
    ip: nullable(
      Type.String({
        description: "Client address of the request; behind a proxy that is not in `http.trusted_proxies`, the proxy's",
      }),
    ),
  },
  { title: 'AuditEntry' },
);

const presentEntry = (entry: AuditEntry) => ({
  id: entry.id,
  at: isoOf(entry.at),
  actor: { kind: entry.actor.kind, id: entry.actor.id },
  operation: entry.operation,
  target: { ...entry.target },
  request_id: entry.requestId,
  ip: entry.ip,
});

export const listAuditLog = operation({
  operationId: 'listAuditLog',
  tag: 'Organization',
  summary: 'List audit log entries, newest first',
  paged: true,
  data: list(entrySchema),
  message: 'Audit log fetched.',
  async handle(app, { caller, page }) {
    const { items, total } = await auditLog(app.db, caller.orgId, page);
    return { data: items.map(presentEntry), total };
  },
});
