import { isoOf, isoOrNull } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import { operation } from '../../kernel/route.ts';
import { boolean, id, nullable, object, oneOf, optional, timestamp, Type } from '../../kernel/schema.ts';
import { actorOf, appendAudit } from '../requests/audit.ts';
import { beginErasure, erasureOf } from './erasure.ts';
import { everythingOf } from './everything.ts';
import { everythingJson, everythingSchema } from './everything-wire.ts';

const tag = 'Privacy';

export const eraseContact = operation({
  operationId: 'eraseContact',
  tag,
  summary: 'Erase a person everywhere; refused while the person is on the phone',
  params: object({ id: id('contact') }),
  body: object({
    keep_do_not_call: optional(
      boolean({
        default: true,
        description: 'Whether the number stays on the do-not-call list, if it may not be called',
      }),
    ),
  }),
  bodyOptional: true,
  example: { keep_do_not_call: true },
  data: object({ erasure_id: id('erasure') }),
  message: 'The person is being erased.',
  errors: ['conflict'],
  async handle(app, { caller, params, body }) {
    const keepDoNotCall = body.keep_do_not_call ?? true;
    return { data: { erasure_id: await beginErasure(app, caller.orgId, params.id, { keepDoNotCall }) } };
  },
});

export const getErasure = operation({
  operationId: 'getErasure',
  tag,
  summary: 'Get how far an erasure is',
  params: object({ id: id('erasure') }),
  data: object(
    {
      id: id('erasure'),
      state: oneOf(['running', 'done']),
      counts: Type.Record(Type.String(), Type.Integer(), {
        description:
          'What was erased so far: calls, notes, recordings, deliveries, campaign_contacts, import_rows, stored_answers',
      }),
      requested_at: timestamp(),
      done_at: nullable(timestamp()),
    },
    { title: 'Erasure' },
  ),
  message: 'Erasure fetched.',
  async handle(app, { caller, params }) {
    const { state, counts, requestedAt, doneAt } = await erasureOf(app, caller.orgId, params.id);
    return {
      data: { id: params.id, state, counts, requested_at: isoOf(requestedAt), done_at: isoOrNull(doneAt) },
    };
  },
});

export const getEverythingOfContact = operation({
  operationId: 'getEverythingOfContact',
  tag,
  summary: 'Get all that is known of a person; each request is in the audit log',
  params: object({ id: id('contact') }),
  data: everythingSchema,
  message: 'Everything fetched.',
  async handle(app, { caller, params, requestId, ip }) {
    const all = await everythingOf(app, caller.orgId, params.id);
    const entry = { actor: actorOf(caller), operation: 'getEverythingOfContact', target: { id: params.id } };
    await transact(app.db, caller.orgId, (tx) =>
      appendAudit(app, tx, { orgId: caller.orgId, ...entry, requestId, ip }),
    );
    return { dataJson: everythingJson(all) };
  },
});
