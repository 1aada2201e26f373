// Long: it asks for thousands of combinations of filters.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { listCalls } from '../../src/features/calls/service.ts';
import { type CallFilter } from '../../src/features/calls/call-list-store.ts';
import { callStates, callStatuses } from '../../src/features/calls/call.ts';
import { contactStatuses } from '../../src/features/campaigns/campaign.ts';
import { listCampaignContacts } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import type { CampaignContactFilter } from '../../src/features/campaigns/contacts/list-store.ts';
import { listCampaigns } from '../../src/features/campaigns/service.ts';
import type { CampaignFilter } from '../../src/features/campaigns/store.ts';
import { listAgents } from '../../src/features/agents/service.ts';
import { listEndpoints } from '../../src/features/endpoints/service.ts';
import type { EndpointFilter } from '../../src/features/endpoints/store.ts';
import { auditLog } from '../../src/features/requests/audit.ts';
import type { AuditFilter } from '../../src/features/requests/store.ts';
import type { Position } from '../../src/db/pages.ts';
import { countsByStatus } from '../../src/features/webhooks/delivery-list-store.ts';
import { listDeliveries } from '../../src/features/webhooks/service.ts';
import { deliveryStatuses } from '../../src/features/webhooks/delivery.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import type { Page, Paged } from '../../src/kernel/paging.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt, rowId } from '../support/many-rows.ts';
import { propertyRuns } from '../support/property-runs.ts';

const rows = 2000;
const { app, close } = await createTestApp();
after(() => close());
const { orgId, agentId, campaignId, numberId, endpointId } = await fillDatabase(app.db, rows);

test('the numbers that triggers keep are those that counting finds', async () => {
  assert.deepEqual(await wrongNumbers(app.db), []);
  await sql`UPDATE call_counts SET calls = calls + 1 WHERE status = 'busy'`.execute(app.db);
  assert.deepEqual(await wrongNumbers(app.db), ['calls']);
  await sql`UPDATE call_counts SET calls = calls - 1 WHERE status = 'busy'`.execute(app.db);
});

type Found = { id: string };

/** Compares two pages of a list with what a plain query finds. */
async function agrees(
  list: (page: { limit: number; offset: number }) => Promise<Paged<Found>>,
  ids: string[],
  what: unknown,
) {
  const [first, later] = [await list({ limit: 7, offset: 0 }), await list({ limit: 7, offset: 5 })];
  assert.equal(first.total, ids.length, JSON.stringify(what));
  const found = [first, later].map(({ items }) => items.map(({ id }) => id));
  assert.deepEqual(found, [ids.slice(0, 7), ids.slice(5, 12)], JSON.stringify(what));
}

const idsWhere = async (table: string, where: string, order = 'id DESC'): Promise<string[]> =>
  (
    await sql<Found>`SELECT id FROM ${sql.table(table)} WHERE ${sql.raw(where)} ORDER BY ${sql.raw(order)}`.execute(
      app.db,
    )
  ).rows.map(({ id }) => id);

/** All, or one in seven of those that combine more than two filters. */
const oneIn = propertyRuns({ few: 7, all: 1 });

/** Combinations of one value, or none, for each of the filters. */
function combinations<F>(filters: ReadonlyArray<ReadonlyArray<readonly [Partial<F>, string]>>): Array<[F, string]> {
  let all: Array<[F, string]> = [[{} as F, 'true']];
  for (const values of filters) {
    all = [
      ...all,
      ...all.flatMap(([filter, where]) =>
        values.map(([more, and]): [F, string] => [{ ...filter, ...more }, `${where} AND ${and}`]),
      ),
    ];
  }
  return all.filter(([filter], index) => index % oneIn === 0 || Object.keys(filter as object).length <= 2);
}

test('every filter of calls finds the calls that a plain query finds, and counts them', async () => {
  const otherAgent = rowId('agent', 1);
  const at = firstAt + 1000 * 1000;
  const filters = combinations<CallFilter>([
    [
      [{ agentId }, `agent_id = '${agentId}'`],
      [{ agentId: otherAgent }, `agent_id = '${otherAgent}'`],
      [{ agentId: orgId }, 'false'],
    ],
    [[{ campaignId }, `campaign_id = '${campaignId}'`]],
    [[{ contactId: rowId('contact', 3) }, `contact_id = '${rowId('contact', 3)}'`]],
    [
      ...callStatuses.map((status) => [{ statuses: [status] }, `status = '${status}'`] as const),
      [{ statuses: ['busy', 'completed'] }, "status IN ('busy', 'completed')"],
    ],
    [...callStates.map((state) => [{ state }, `state = '${state}'`] as const), [{ state: 'live' }, "state <> 'ended'"]],
    [
      [{ since: at }, `created_at >= ${at}`],
      [{ until: at }, `created_at < ${at}`],
      [{ phone: '00123' }, "to_phone LIKE '%00123%'"],
    ],
  ]);
  for (const [filter, where] of filters) {
    await agrees((page) => listCalls(app, orgId, filter, page), await idsWhere('calls', where), filter);
  }
});

test('calls are found by what was said in them, by length and by edition', async () => {
  const [disposition, goals] = ["analysis ->> 'disposition'", "analysis ->> 'goals_met'"];
  const filters = combinations<CallFilter>([
    [[{ agentId }, `agent_id = '${agentId}'`]],
    [
      [{ dispositions: ['meeting_booked'] }, `${disposition} = 'meeting_booked'`],
      [{ dispositions: ['meeting_booked', 'not_interested'] }, `${disposition} IS NOT NULL`],
      [{ goalsMet: false }, `${goals} = 0`],
      [{ goalsMet: true }, `${goals} = 1`],
    ],
    [
      [{ minDurationSec: 45 }, 'duration_sec >= 45'],
      [{ agentEdition: 2 }, 'agent_edition = 2'],
    ],
  ]);
  for (const [filter, where] of filters) {
    await agrees((page) => listCalls(app, orgId, filter, page), await idsWhere('calls', where), filter);
  }
});

test('calls of another organization are not found by its ids', async () => {
  for (const filter of [{ agentId }, { campaignId }, { contactId: rowId('contact', 3) }]) {
    assert.deepEqual(await listCalls(app, rowId('org', 1), filter, { limit: 5, offset: 0 }), { items: [], total: 0 });
  }
});

test('every filter of deliveries finds the deliveries that a plain query finds, and counts them', async () => {
  const at = firstAt + 1000 * 1000;
  const sending = rowId('endpoint', 1);
  const stored = deliveryStatuses.filter((status) => status !== 'delivering');
  const filters = combinations<Parameters<typeof listDeliveries>[2]>([
    [
      [{ endpointId }, `endpoint_id = '${endpointId}'`],
      [{ endpointId: sending }, `endpoint_id = '${sending}'`],
      [{ endpointId: orgId }, 'false'],
    ],
    [[{ agentId }, `endpoint_id = '${endpointId}'`]],
    [[{ eventId: rowId('event', 3) }, `event_id = '${rowId('event', 3)}'`]],
    [...stored.map((status) => [{ status }, `status = '${status}'`] as const), [{ status: 'delivering' }, 'false']],
    [
      [{ since: at }, `created_at >= ${at}`],
      [{ until: at }, `created_at < ${at}`],
    ],
  ]);
  for (const [filter, where] of filters) {
    await agrees(
      (page) => listDeliveries(app, orgId, filter, page),
      await idsWhere('webhook_deliveries', where),
      filter,
    );
  }
});

test('every filter and sort of campaign contacts finds those that a plain query finds, and counts them', async () => {
  const anyOf = (statuses: readonly string[]) => `status IN (${statuses.map((status) => `'${status}'`).join(', ')})`;
  const filters = combinations<CampaignContactFilter>([
    [...contactStatuses.map((status) => [status]), ['pending', 'busy', 'expired'] as const].map(
      (statuses) => [{ statuses }, anyOf(statuses)] as const,
    ),
    [
      [{ text: 'ada 12' }, "name LIKE 'Ada 12%'"],
      [{ text: '00123' }, "phone LIKE '%00123%'"],
    ],
    [
      [{ tag: 'vip' }, 'position % 7 = 0'],
      [{ tag: 'vi' }, 'false'],
      [{ tag: '","' }, 'false'],
    ],
    [
      [{ sort: 'next_attempt' }, 'true'],
      [{ sort: 'last_attempt' }, 'true'],
    ],
  ]);
  const orders = { queue: 'position', next_attempt: 'next_retry_at NULLS LAST, position' };
  for (const [filter, where] of filters) {
    const order = { ...orders, last_attempt: 'last_attempted_at DESC NULLS LAST, position' }[filter.sort ?? 'queue'];
    const list = (page: Page) => listCampaignContacts(app, orgId, campaignId, filter, page);
    const ids = await idsWhere('campaign_contacts', `campaign_id = '${campaignId}' AND ${where}`, order);
    await agrees(list, ids, filter);
    if (filter.text === undefined && filter.tag === undefined) await isWalked(list, ids, filter);
  }
});

/** Reads a list by position, in pages so small that some end between two rows with the same time. */
async function isWalked(list: (page: Page) => Promise<Paged<Found>>, ids: string[], what: unknown): Promise<void> {
  const walked: string[] = [];
  for (let behind: Position | null | undefined = null; behind !== undefined;) {
    const { items, cursors }: Paged<Found> = await list({ limit: 300, offset: 0, after: behind });
    walked.push(...items.map(({ id }) => id));
    behind = cursors!.hasMore ? cursors!.positions.at(-1) : undefined;
  }
  assert.deepEqual(walked, ids, JSON.stringify(what));
}

test('every filter of the audit log finds the entries that a plain query finds, and counts them', async () => {
  const at = firstAt + 1000 * 1000;
  const filters = combinations<AuditFilter>([
    [
      [{ actorId: agentId }, 'true'],
      [{ actorId: orgId }, 'false'],
    ],
    [[{ operation: 'createContact' }, "operation = 'createContact'"]],
    [[{ verbs: ['create'] }, "verb = 'create'"]],
    [[{ targetKinds: ['contact', 'agent'] }, "target_kind IN ('contact', 'agent')"]],
    [[{ targetIds: [agentId] }, `target_id = '${agentId}'`]],
    [[{ since: at }, `at >= ${at}`]],
    [[{ until: at }, `at < ${at}`]],
  ]);
  for (const [filter, where] of filters) {
    const list = (page: Page) => auditLog(app.db, orgId, filter, page);
    const ids = await idsWhere('audit_log', where);
    await agrees(list, ids, filter);
    await isWalked(list, ids, filter);
  }
});

test('campaigns, agents and endpoints are found by their filters', async () => {
  const idsOf = async (found: Promise<Paged<Found>>) => (await found).items.map(({ id }) => id);
  const campaigns = (filter: CampaignFilter) => idsOf(listCampaigns(app, orgId, filter, { limit: 5, offset: 0 }));
  const all = [rowId('campaign', 1), campaignId];
  assert.deepEqual(await campaigns({ status: 'paused', agentId, phoneNumberId: numberId }), all);
  assert.deepEqual(await campaigns({ name: 'paign 1', agentId }), [rowId('campaign', 1)]);
  assert.deepEqual(await campaigns({ agentId: orgId }), []);
  assert.deepEqual(await campaigns({ phoneNumberId: orgId }), []);
  const agents = (name: string) => idsOf(listAgents(app, orgId, name, { limit: 5, offset: 0 }));
  assert.deepEqual(await agents('agent'), [rowId('agent', 1), agentId]);
  assert.deepEqual(await agents('gent 0'), [agentId]);
  const endpoints = (filter: EndpointFilter) => idsOf(listEndpoints(app, orgId, filter, { limit: 5, offset: 0 }));
  assert.deepEqual(await endpoints({ agentId, status: 'delivering' }), [endpointId]);
  assert.deepEqual(await endpoints({ status: 'delivering' }), [rowId('endpoint', 1), endpointId]);
  assert.deepEqual(await endpoints({ status: 'failing' }), []);
});

test('a position that does not have the values of the sort is refused', async () => {
  const pageBehind = (position: Position): Page => ({ limit: 5, offset: 0, after: position });
  const isRefused = { kind: 'invalid' };
  await assert.rejects(listCalls(app, orgId, {}, pageBehind(['x', 'y'])), isRefused);
  await assert.rejects(listCalls(app, orgId, {}, pageBehind([])), isRefused);
  const sorted = { sort: 'last_attempt' } as const;
  await assert.rejects(listCampaignContacts(app, orgId, campaignId, sorted, pageBehind([5])), isRefused);
});

test('deliveries that are being sent are counted as such', async () => {
  const idle = await countsByStatus(app.db, orgId, new Set());
  const sending = new Set([rowId('delivery', 3), rowId('delivery', 1), rowId('delivery', 6), rowId('contact', 3)]);
  const counts = await countsByStatus(app.db, orgId, sending);
  const { pending, retrying } = idle;
  assert.deepEqual(counts, { ...idle, pending: pending - 1, retrying: retrying - 1, delivering: 2 });
  const ofNobody = await countsByStatus(app.db, rowId('org', 1), sending);
  assert.deepEqual(new Set(Object.values(ofNobody)), new Set([0]));
});
