import { isoOf } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { period, periodOf } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { id, list, nullable, object, optional, timestamp, Type } from '../../kernel/schema.ts';
import { actorSchema, presentActor } from './actor-wire.ts';
import { nullableChanges } from './changes-wire.ts';
import { type AuditEntry, auditLog } from './audit.ts';

const entrySchema = object(
  {
    id: id('audit entry'),
    at: timestamp(),
    actor: actorSchema(),
    operation: Type.String({
      description:
        'operationId of this document, or a command such as keys.create. A suffix means that nothing was done: `.refused` by the role, `.failed` log-ins, `.locked` after too many of them',
    }),
    target: Type.Record(Type.String(), Type.String(), {
      description:
        'IDs of the affected and created resources, by name. Refusals and failed log-ins have one entry a minute at most; `count` says how many it stands for',
    }),
    changes: nullableChanges(
      'The settings of an agent, campaign, contact, phone number or knowledge base that were changed; null where none were, and for contacts that were deleted',
    ),
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
  actor: presentActor(entry.actor),
  operation: entry.operation,
  target: { ...entry.target },
  changes: entry.changes,
  request_id: entry.requestId,
  ip: entry.ip,
});

export const listAuditLog = operation({
  operationId: 'listAuditLog',
  tag: 'Organization',
  summary: 'List audit log entries, newest first',
  query: object({
    actor_id: optional(Type.String({ maxLength: 200, description: 'Only what this key or person did' })),
    operation: optional(Type.String({ maxLength: 200, description: 'Only this operation, written as in the entries' })),
    ...period,
  }),
  paged: 'cursor',
  data: list(entrySchema),
  message: 'Audit log fetched.',
  async handle(app, { caller, query, page }) {
    const filter = { ...given({ actorId: query.actor_id, operation: query.operation }), ...periodOf(query) };
    return pageReply(await auditLog(app.db, caller.orgId, filter, page), presentEntry);
  },
});
