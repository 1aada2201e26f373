import { isoOf } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { anyOf, distinct, period, periodOf } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { id, list, nullable, object, oneOf, optional, timestamp, Type } from '../../kernel/schema.ts';
import { actorSchema, presentActor } from './actor-wire.ts';
import { nullableChanges } from './changes-wire.ts';
import { type AuditEntry, auditLog } from './audit.ts';
import { auditedOperations, memberKinds, targetKinds, verbs } from './audited-operations.ts';

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
    target_kind: nullable(oneOf(targetKinds, { description: 'Kind of the thing that the entry is about' })),
    target_id: nullable(Type.String({ description: 'Its ID' })),
    target_name: nullable(
      Type.String({ description: 'The name that it had then; null for contacts that were deleted' }),
    ),
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
  target_kind: entry.targetKind,
  target_id: entry.targetId,
  target_name: entry.targetName,
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
    target_kind: anyOf(targetKinds, 'Only entries about things of this kind; repeat it for several'),
    target_id: optional(
      list(id('thing'), {
        minItems: 1,
        maxItems: 20,
        description: 'Only entries about this thing; repeat it for several',
      }),
    ),
    verb: anyOf(
      verbs,
      'Only entries of operations that did this; repeat it for several. Starting a campaign is `start`, pausing and completing one `stop`',
    ),
    ...period,
  }),
  lesserRole: {
    role: 'member',
    may: `The role \`member\` may read the entries of one thing: with \`target_id\` and \`target_kind\`, one of ${memberKinds.join(', ')}.`,
    allows: ({ target_kind: kinds = [], target_id: ids = [] }) =>
      ids.length > 0 && kinds.length > 0 && kinds.every((kind) => (memberKinds as readonly string[]).includes(kind)),
  },
  paged: 'cursor',
  data: list(entrySchema),
  message: 'Audit log fetched.',
  async handle(app, { caller, query, page }) {
    const filter = {
      ...given({
        actorId: query.actor_id,
        operation: query.operation,
        verbs: distinct(query.verb),
        targetKinds: distinct(query.target_kind),
        targetIds: distinct(query.target_id),
      }),
      ...periodOf(query),
    };
    return pageReply(await auditLog(app.db, caller.orgId, filter, page), presentEntry);
  },
});

export const listAuditOperations = operation({
  operationId: 'listAuditOperations',
  tag: 'Organization',
  summary: 'List the operations that the audit log can have entries of',
  data: list(
    object(
      {
        operation: Type.String(),
        verb: oneOf(verbs),
        target_kind: nullable(oneOf(targetKinds)),
        title: Type.String(),
      },
      { title: 'AuditOperation' },
    ),
  ),
  message: 'Operations fetched.',
  handle: () =>
    Promise.resolve({ data: auditedOperations.map(({ kind, ...named }) => ({ ...named, target_kind: kind })) }),
});
