import { isoOf } from '../../base/clock.ts';
import { operation } from '../../kernel/route.ts';
import { id, list, nullable, object, oneOf, timestamp, Type } from '../../kernel/schema.ts';
import { type AuditEntry, auditLog } from './audit.ts';

const entrySchema = object(
  {
    id: id('audit entry'),
    at: timestamp(),
    actor: object({
      kind: oneOf(['api_key', 'token', 'operator'], { description: 'operator: by the command line, on the machine' }),
      id: nullable(Type.String({ description: 'Of the key or, behind a token, of the key or user it was made for' })),
    }),
    operation: Type.String({ description: 'An operationId of this document, or a command such as keys.create' }),
    target: Type.Record(Type.String(), Type.String(), {
      description: 'What it was done to and what it made: ids by name',
    }),
    request_id: nullable(Type.String()),
    ip: nullable(Type.String({ description: 'Where the request came from; behind a proxy, the proxy' })),
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
  summary: 'List who changed what, newest first',
  paged: true,
  data: list(entrySchema),
  message: 'Audit log fetched.',
  async handle(app, { caller, page }) {
    const { items, total } = await auditLog(app.db, caller.orgId, page);
    return { data: items.map(presentEntry), total };
  },
});
