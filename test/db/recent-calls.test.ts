import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import type { CallFilter } from '../../src/features/calls/call-list-store.ts';
import { listCalls } from '../../src/features/calls/call-list-store.ts';
import { fileRecent } from '../../src/features/calls/store.ts';
import { callStatuses } from '../../src/features/calls/call.ts';
import { contactStatuses } from '../../src/features/campaigns/campaign.ts';
import { listCampaignContacts } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import type { CampaignContactFilter } from '../../src/features/campaigns/contacts/list-store.ts';
import * as activity from '../../src/features/campaigns/results/activity-store.ts';
import { type CountedHours, hoursFrom, weekOf } from '../../src/features/campaigns/results/hours.ts';
import { planFacts } from '../../src/features/campaigns/plan/store.ts';
import { countStartsSince } from '../../src/features/live/store.ts';
import { transact } from '../../src/db/transaction.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt, rowId } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const rows = 400;
const { orgId, agentId, campaignId } = await fillDatabase(app.db, rows);

const scopes: CallFilter[] = [
  {},
  { agentId },
  { campaignId },
  { agentId, campaignId },
  { agentId: rowId('agent', 1) },
  { campaignId: rowId('campaign', 1) },
  { contactId: rowId('contact', 20) },
];
const conditions: CallFilter[] = [
  {},
  ...callStatuses.map((status) => ({ statuses: [status] })),
  { statuses: ['busy', 'completed'] },
  { state: 'live' },
  { state: 'ended' },
  { since: firstAt + 50_000, until: firstAt + 300_000 },
  { phone: '33' },
];
const filters = scopes.flatMap((scope) => conditions.map((condition) => ({ ...scope, ...condition })));

const contactFilters: CampaignContactFilter[] = ([undefined, 'queue', 'next_attempt', 'last_attempt'] as const).flatMap(
  (sort) =>
    [
      {},
      ...contactStatuses.map((status) => ({ statuses: [status] })),
      { statuses: ['busy', 'in_progress', 'pending'] as const },
    ].map((filter) => (sort === undefined ? filter : { ...filter, sort })),
);

/** Everything that is read from the indexes of ended calls and of their campaign contacts. */
async function readAll() {
  const pages = [];
  for (const filter of filters) {
    for (const offset of [0, 7]) {
      const { items, total } = await listCalls(app.db, orgId, filter, { limit: 20, offset });
      pages.push({ filter, offset, total, ids: items.map(({ id }) => id) });
    }
  }
  const bounds = Array.from({ length: 9 }, (_, index) => firstAt + index * 50_000);
  const counts = await activity.countsBetween(app.db, campaignId, bounds);
  const first = await activity.firstStartFrom(app.db, campaignId, firstAt + 100_000);
  const last = await activity.lastEnd(app.db, campaignId);
  const hours = weekOf([await hoursFrom(app.db, { campaignId, timezone: 'UTC', from: 0 })]);
  const { meanCallSec } = await planFacts(app.db, orgId, campaignId);
  const starts = await countStartsSince(app.db, orgId, campaignId, firstAt + 200_000);
  const contacts = [];
  for (const filter of contactFilters) {
    for (const offset of [0, 7]) {
      const page = { limit: 20, offset, owner: orgId };
      const { items, total } = await listCampaignContacts(app, orgId, campaignId, filter, page);
      contacts.push({ filter, offset, total, ids: items.map(({ id }) => id) });
    }
  }
  return { pages, contacts, counts, first, last, hours, meanCallSec, starts };
}

/** Makes the calls with these numbers and their contacts recent, as if they had just ended, and all other ended calls filed ones. */
const setRecent = (ofRow: (n: number) => boolean): Promise<void> =>
  transact(app.db, orgId, async (tx) => {
    await sql`UPDATE calls SET recent = 0 WHERE status IS NOT NULL`.execute(tx);
    for (let n = 0; n < rows; n++) {
      if (ofRow(n))
        await sql`UPDATE calls SET recent = 1 WHERE id = ${rowId('call', n)} AND state = 'ended'`.execute(tx);
    }
    await sql`UPDATE campaign_contacts SET recent = 1 WHERE campaign_id = ${campaignId} AND id IN (
      SELECT campaign_contact_id FROM calls WHERE recent = 1 AND campaign_id = ${campaignId})`.execute(tx);
  });

test('lists, filters and counts are the same whichever ended calls have been filed', async () => {
  const filed = await readAll();
  assert.ok(filed.pages.filter(({ ids }) => ids.length > 0).length > filters.length);
  const cases: Array<(n: number) => boolean> = [() => true, (n) => n >= 250, (n) => n % 3 === 0, (n) => n < 100];
  for (const ofRow of cases) {
    await setRecent(ofRow);
    assert.deepEqual(await readAll(), filed);
  }
});

test('calls are filed from the oldest on, and every step in between shows the same lists', async () => {
  await setRecent((n) => n >= 100);
  const before = await readAll();
  const file = (limit: number): Promise<number> => transact(app.db, orgId, (tx) => fileRecent(tx, orgId, limit));
  const recent = async () =>
    (
      await sql<{ id: string }>`SELECT id FROM calls WHERE recent = 1 AND status IS NOT NULL ORDER BY id`.execute(
        app.db,
      )
    ).rows;
  const all = await recent();
  assert.equal(await file(100), 100);
  assert.deepEqual(await recent(), all.slice(100));
  assert.deepEqual(await readAll(), before);
  assert.equal(await file(1000), all.length - 100);
  assert.deepEqual(await recent(), []);
  assert.deepEqual(await readAll(), before);
});

test('recent calls are read from their own index, filed ones from those of agent, campaign and status', async (t) => {
  await setRecent((n) => n >= 350);
  const statements = await recordStatements(t, app.db);
  await readAll();
  const ofCalls = statements.splice(0).filter(({ sql: text }) => /recent/.test(text));
  assert.ok(ofCalls.length > filters.length);
  const seen = new Set<string>();
  for (const statement of ofCalls) {
    const steps = await planOf(app.db, statement);
    assert.ok(!steps.some((step) => /SCAN calls(?! USING)/.test(step)), `${steps.join('\n')}\n${statement.sql}`);
    for (const step of steps) seen.add(/INDEX (calls_\w+)/.exec(step)?.[1] ?? '');
  }
  for (const name of [
    'calls_recent',
    'calls_of_agent',
    'calls_of_campaign',
    'calls_by_status',
    'calls_of_contact',
    'calls_of_campaign_by_start',
    'calls_of_campaign_by_end',
  ]) {
    assert.ok(seen.has(name), `${name} of ${[...seen].join(', ')}`);
  }
});

test('the hours of a campaign are counted in several reads with the same sums', async () => {
  await setRecent((n) => n >= 350);
  await sql`UPDATE calls SET started_at = started_at + (started_at - ${firstAt}) * 3600`.execute(app.db);
  const period = { campaignId, timezone: 'Europe/Berlin', from: 0 };
  const whole = await hoursFrom(app.db, period);
  assert.equal(whole.next, null);
  // A read ends after a number of hours, and earlier if many calls are not filed.
  for (const bound of [{ maxHours: 100 }, { maxWalked: 2000 }, { maxWalked: 1 }]) {
    const parts: CountedHours[] = [];
    for (let from: number | null = 0; from !== null; from = parts.at(-1)!.next)
      parts.push(await hoursFrom(app.db, { ...period, from }, bound));
    assert.ok(parts.length > 2, `${parts.length} reads`);
    assert.deepEqual(weekOf(parts), weekOf([whole]));
    assert.equal(weekOf(parts).length, 168);
  }
});

test('a live call cannot be filed, since lists would leave it out', async () => {
  await assert.rejects(
    sql`UPDATE calls SET recent = 0 WHERE status IS NULL`.execute(app.db).then(() => undefined),
    /a live call must be recent/,
  );
});
