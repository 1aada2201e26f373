import { isoOf, isoOrNull } from '../../base/clock.ts';
import { stringify } from '../../base/json.ts';
import {
  id,
  integer,
  list,
  metadata,
  nullable,
  object,
  oneOf,
  type Static,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import { callData, callFields } from '../calls/call-data.ts';
import { type CampaignContactStatus, contactStatuses } from '../campaigns/campaign.ts';
import { doNotCallStateSchema, presentDoNotCallState } from '../contacts/do-not-call-wire.ts';
import { presentPerson } from '../contacts/person-wire.ts';
import { nullableChanges } from '../requests/changes-wire.ts';
import type { Everything } from './everything.ts';

const text = () => nullable(Type.String());
export const everythingSchema = object(
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
      description:
        'Ended calls of the contact, then those with its number alone, each newest first; recording_url is the address of the recording',
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

type Wire = Static<typeof everythingSchema>;

const presentContact = ({ contact, doNotCall }: Everything): Wire['contact'] => ({
  id: contact.id,
  ...presentPerson(contact),
  do_not_call_state: presentDoNotCallState(doNotCall),
  created_at: isoOf(contact.createdAt),
  updated_at: isoOf(contact.updatedAt),
});

type Item<L extends keyof Wire> = Wire[L] extends ReadonlyArray<infer I> ? I : never;
type Lists = { [L in Exclude<keyof Wire, 'contact'>]: AsyncIterable<Array<Item<L>>> };

async function* presented<T, W>(pages: AsyncIterable<T[]>, present: (row: T) => W): AsyncGenerator<W[]> {
  for await (const page of pages) yield page.map(present);
}

/** The lists in the order in which they are answered. */
const presentLists = (all: Everything): Lists => ({
  notes: presented(all.notes, (note) => ({
    id: note.id,
    content: note.content,
    created_at: isoOf(note.createdAt),
  })),
  campaigns: presented(all.campaigns, (row) => ({
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
  calls: presented(all.calls, callData),
  deliveries: presented(all.deliveries, (row) => ({
    id: row.id,
    event_id: row.eventId,
    url: row.url,
    created_at: isoOf(row.createdAt),
    delivered_at: isoOrNull(row.deliveredAt),
  })),
  import_rows: presented(all.importRows, (row) => ({
    import_id: row.importId,
    row: row.row,
    cells: JSON.parse(row.cells) as string[],
    reason: row.reason,
  })),
  changes: presented(all.changes, ({ at, operation, changes }) => ({ at: isoOf(at), operation, changes })),
});

/** The JSON of everything in parts, which are made as the client reads them. */
export async function* everythingJson(all: Everything): AsyncGenerator<string> {
  yield `{"contact":${stringify(presentContact(all))}`;
  for (const [name, pages] of Object.entries(presentLists(all))) {
    let before = `,"${name}":[`;
    for await (const page of pages as AsyncIterable<unknown[]>) {
      for (const item of page) {
        yield before + stringify(item);
        before = ',';
      }
    }
    yield before === ',' ? ']' : `${before}]`;
  }
  yield '}';
}
