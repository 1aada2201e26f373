import { isoOf, isoOrNull } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import { operation } from '../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  list,
  metadata,
  nullable,
  object,
  oneOf,
  optional,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import { callData, callFields } from '../calls/call-data.ts';
import { type CampaignContactStatus, contactStatuses } from '../campaigns/campaign.ts';
import { doNotCallStateSchema, presentDoNotCallState } from '../contacts/do-not-call-wire.ts';
import { actorOf, appendAudit } from '../requests/audit.ts';
import { nullableChanges } from '../requests/changes-wire.ts';
import { beginErasure, erasureOf } from './erasure.ts';
import { type Everything, everythingOf } from './everything.ts';

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

const text = () => nullable(Type.String());
const everythingSchema = object(
  {
    contact: object({
      id: id('contact'),
      first_name: text(),
      last_name: text(),
      email: text(),
      phone: text(),
      company: text(),
      metadata: metadata(),
      timezone: text(),
      do_not_call_state: doNotCallStateSchema,
      created_at: timestamp(),
      updated_at: timestamp(),
    }),
    notes: list(object({ id: id('note'), content: Type.String(), created_at: timestamp() })),
    campaigns: list(
      object({
        campaign_id: id('campaign'),
        campaign_name: Type.String(),
        name: text(),
        phone: text(),
        email: text(),
        status: oneOf(contactStatuses),
        attempt_count: integer(),
        last_attempted_at: nullable(timestamp()),
        tags: list(Type.String()),
        error_message: text(),
      }),
    ),
    calls: list(object(callFields, { title: 'CallOfPerson' }), {
      description: 'Ended calls; recording_url is the address of the recording',
    }),
    deliveries: list(
      object({
        id: id('delivery'),
        event_id: id('event'),
        url: Type.String(),
        created_at: timestamp(),
        delivered_at: nullable(timestamp()),
      }),
    ),
    import_rows: list(
      object({ import_id: id('import'), row: integer(), cells: list(Type.String()), reason: Type.String() }),
    ),
    changes: list(
      object({ at: timestamp(), operation: Type.String(), changes: nullableChanges('What the request changed') }),
    ),
  },
  { title: 'EverythingOfPerson' },
);

const presentEverything = (all: Everything) => ({
  contact: {
    id: all.contact.id,
    first_name: all.contact.firstName,
    last_name: all.contact.lastName,
    email: all.contact.email,
    phone: all.contact.phone,
    company: all.contact.company,
    metadata: all.contact.metadata,
    timezone: all.contact.timezone,
    do_not_call_state: presentDoNotCallState(all.doNotCall),
    created_at: isoOf(all.contact.createdAt),
    updated_at: isoOf(all.contact.updatedAt),
  },
  notes: all.notes.map((note) => ({ id: note.id, content: note.content, created_at: isoOf(note.createdAt) })),
  campaigns: all.campaigns.map((row) => ({
    campaign_id: row.campaignId,
    campaign_name: row.campaignName,
    name: row.name,
    phone: row.phone,
    email: row.email,
    status: row.status as CampaignContactStatus,
    attempt_count: row.attemptCount,
    last_attempted_at: isoOrNull(row.lastAttemptedAt),
    tags: JSON.parse(row.tags) as string[],
    error_message: row.errorMessage,
  })),
  calls: all.calls.map(callData),
  deliveries: all.deliveries.map((row) => ({
    id: row.id,
    event_id: row.eventId,
    url: row.url,
    created_at: isoOf(row.createdAt),
    delivered_at: isoOrNull(row.deliveredAt),
  })),
  import_rows: all.importRows.map((row) => ({
    import_id: row.importId,
    row: row.row,
    cells: JSON.parse(row.cells) as string[],
    reason: row.reason,
  })),
  changes: all.changes.map(({ at, operation: name, changes }) => ({ at: isoOf(at), operation: name, changes })),
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
    return { data: presentEverything(all) };
  },
});
