// Long: it plays histories of many contacts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { TestClock } from '../../src/base/clock.ts';
import { transact } from '../../src/db/transaction.ts';
import { plainOutcome } from '../../src/features/calls/call.ts';
import { endCallById, findCall } from '../../src/features/calls/service.ts';
import { removeCampaignContact } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { addCampaignContacts } from '../../src/features/campaigns/contacts/joining.ts';
import { tick } from '../../src/features/campaigns/dialing/dialer.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import { nextContact } from '../../src/features/campaigns/dialing/next-contact.ts';
import { windowOf } from '../../src/features/campaigns/schedule/schedule.ts';
import { getCampaign, updateCampaign } from '../../src/features/campaigns/service.ts';
import { isOpen } from '../../src/features/campaigns/schedule/window.ts';
import { updateContact } from '../../src/features/contacts/service.ts';
import { partsOf } from '../../src/kernel/batches.ts';
import { updateNumber } from '../../src/features/numbers/service.ts';
import { aPhone } from '../support/fixtures.ts';
import { recordStatements } from '../support/plans.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { newCallingOrg } from '../http/calling-support.ts';

const server = await startTestServer({ settings: { 'limits.organization.max_cps': '1000' } });
after(() => server.stop());
// The test runs each tick itself, to see whom it calls.
await server.running.runner.stop(0);
const { app } = server.running;
const clock = app.clock as TestClock;
const org = await newCallingOrg(server);
const { orgId } = org.client;
await updateNumber(app, orgId, org.numberId, { max_cps: 100, max_concurrent: 1000 });

const minute = 60_000;
const zones = [null, 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'Asia/Tokyo', 'Asia/Kathmandu'];
const zone = fc.constantFrom(...zones);
const nth = fc.nat({ max: 20 });
const few = fc.integer({ min: 1, max: 3 });
const step = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      type: fc.constant('call' as const),
      times: few,
      isUndone: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      nth,
      status: fc.constantFrom('completed' as const, 'busy' as const, 'busy' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('take back' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('add' as const), times: few, zone }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), nth }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('move' as const), nth, zone }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1000, 5 * minute, 31 * minute) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constant(200 * minute) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('look' as const),
      ms: fc.constantFrom(-200 * minute, -minute, 61 * minute),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      schedule: fc.constantFrom(
        { windowStart: '06:00', windowEnd: '19:00' },
        { windowStart: '12:00', windowEnd: '02:00' },
        { timezone: 'Asia/Tokyo' },
        { timezone: 'America/New_York' },
        { retryGapMin: 1 },
        { retryGapMin: 30 },
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Row = { id: string; contactId: string; timezone: string; nextRetryAt: number | null; callId: string | null };

const rowsOf = async (campaignId: string, status: 'pending' | 'in_progress'): Promise<Row[]> =>
  (
    await sql<Row>`
      SELECT id, contact_id AS "contactId", timezone, next_retry_at AS "nextRetryAt", call_session_id AS "callId"
      FROM campaign_contacts WHERE campaign_id = ${campaignId} AND status = ${status} ORDER BY position`.execute(app.db)
  ).rows;

/** The rule, over all contacts: those whose window is open, due retries by their instant, then first attempts as added. */
async function expectedNext(campaignId: string, now = clock.now()): Promise<string | undefined> {
  const campaign = await getCampaign(app, orgId, campaignId);
  const open = (await rowsOf(campaignId, 'pending')).filter((row) => isOpen(windowOf(campaign, row.timezone), now));
  const retries = open.filter(({ nextRetryAt }) => nextRetryAt !== null && nextRetryAt <= now);
  const [retry] = retries.toSorted((a, b) => a.nextRetryAt! - b.nextRetryAt!);
  return (retry ?? open.find(({ nextRetryAt }) => nextRetryAt === null))?.id;
}

/** Runs ticks in one transaction, a tenth of a second apart, and compares whom they call with the rule. */
async function callNext(campaignId: string, times: number, isUndone: boolean): Promise<void> {
  const undone = new Error('undone');
  const calling = transact(app.db, orgId, async (tx) => {
    for (let count = 0; count < times; count += 1) {
      clock.set(clock.now() + 100);
      const expected = await expectedNext(campaignId);
      const before = new Set((await rowsOf(campaignId, 'in_progress')).map(({ id }) => id));
      await tick(app, tx, campaignId);
      const started = (await rowsOf(campaignId, 'in_progress')).filter(({ id }) => !before.has(id));
      assert.deepEqual(
        started.map(({ id }) => id),
        expected === undefined ? [] : [expected],
      );
    }
    if (isUndone) throw undone;
  });
  await calling.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

async function act(campaignId: string, what: Step): Promise<void> {
  const pick = async (status: 'pending' | 'in_progress', at: number): Promise<Row | undefined> => {
    const rows = await rowsOf(campaignId, status);
    return rows[at % Math.max(rows.length, 1)];
  };
  switch (what.type) {
    case 'call':
      return callNext(campaignId, what.times, what.isUndone);
    case 'look': {
      const at = clock.now() + what.ms;
      const campaign = await getCampaign(app, orgId, campaignId);
      const next = await transact(app.db, orgId, (tx) => nextContact(tx, campaign, at));
      assert.equal(next?.id, await expectedNext(campaignId, at));
      return;
    }
    case 'end': {
      const live = await pick('in_progress', what.nth);
      if (live) await transact(app.db, orgId, (tx) => endCallById(app, tx, live.callId!, plainOutcome(what.status)));
      return;
    }
    case 'take back': {
      const live = await pick('in_progress', what.nth);
      const call = live && (await findCall(app.db, live.callId!));
      if (call) await transact(app.db, orgId, (tx) => campaignCalls.outOfReach(app, tx, call, 'Out of reach.'));
      return;
    }
    case 'add': {
      const contacts = Array.from({ length: what.times }, () => ({ phone: aPhone(), timezone: what.zone }));
      await addCampaignContacts(app, orgId, campaignId, { contactIds: [], contacts });
      return;
    }
    case 'remove': {
      const waiting = await pick('pending', what.nth);
      if (waiting) await removeCampaignContact(app, orgId, campaignId, waiting.id);
      return;
    }
    case 'move': {
      const waiting = await pick('pending', what.nth);
      if (waiting) await updateContact(app, orgId, waiting.contactId, { timezone: what.zone });
      return;
    }
    case 'wait':
      clock.set(clock.now() + what.ms);
      return;
    case 'edit':
      await updateCampaign(app, orgId, campaignId, { schedule: what.schedule });
  }
}

/** Whether a statement looks for the next contact in open time zones. */
const isOfZones = (text: string): boolean => text.includes('AS zone CROSS JOIN campaign_contacts c');

/** The histories are always the same, so only a change of the code makes the test fail. */
const seed = 20_261_123;

/** An active campaign that calls from 06:00 to 19:00 in each contact's zone, of which some are closed at any time. */
async function newCampaign(contactZones: ReadonlyArray<string | null>): Promise<string> {
  const schedule = {
    windowStart: '06:00',
    windowEnd: '19:00',
    maxConcurrent: 1000,
    retryAttempts: 10,
    retryGapMin: 30,
  };
  const { id } = await org.campaign({ maxCps: 10, schedule });
  const contacts = contactZones.map((timezone) => ({ phone: aPhone(), timezone }));
  // In small requests: the contacts of larger ones join in jobs, which do not run here.
  for (const part of partsOf(contacts, 100))
    dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contacts: part }));
  dataOf(await org.client.patch(`/campaigns/${id}`, { status: 'active' }));
  return id;
}

test('whatever happens to its contacts, a campaign with closed time zones calls the first one that is due', async (t) => {
  const statements = await recordStatements(t, app.db);
  const histories = fc.record({
    first: fc.array(zone, { minLength: 10, maxLength: 40 }),
    steps: fc.array(step, { minLength: 40, maxLength: 80 }),
  });
  const play = async ({ first, steps }: { first: Array<string | null>; steps: Step[] }): Promise<void> => {
    const id = await newCampaign(first);
    for (const what of steps) {
      if ((await getCampaign(app, orgId, id)).status !== 'active') return;
      await act(id, what);
    }
  };
  await fc.assert(fc.asyncProperty(histories, play), {
    seed,
    numRuns: propertyRuns({ few: 6, all: 30 }),
    endOnFailure: true,
  });
  const asked = statements.filter(({ sql: text }) => isOfZones(text)).length;
  assert.ok(asked > 100, `${asked} ticks asked time zones`);
});

test('a tick asks the open time zones alone, however many contacts of closed ones come first', async (t) => {
  const tomorrow = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO('UTC').add({ days: 1 });
  clock.set(tomorrow.with({ hour: 12 }).epochMilliseconds);
  const window = { windowStart: '06:00', windowEnd: '19:00', windowDays: [1, 2, 3, 4, 5, 6, 7] };
  const all = Intl.supportedValuesOf('timeZone');
  const [open, closed] = [true, false].map((is) =>
    all.filter((timezone) => isOpen({ ...window, timezone }, clock.now()) === is),
  ) as [string[], string[]];
  assert.ok(open.length > 100 && closed.length > 100);
  const campaignId = await newCampaign([...Array<string>(3000).fill(closed[0]!), ...closed, ...open]);
  const statements = await recordStatements(t, app.db);
  await transact(app.db, orgId, (tx) => tick(app, tx, campaignId));
  const { parameters } = statements.find(({ sql: text }) => isOfZones(text))!;
  const asked = parameters.find((each) => String(each).startsWith('['));
  assert.deepEqual((JSON.parse(asked as string) as string[]).toSorted(), open.toSorted());
  const rows = statements.reduce((sum, { rows: ofOne }) => sum + ofOne, 0);
  assert.ok(rows < all.length + 30, `${rows} rows`); // one for each zone
  assert.equal((await getCampaign(app, orgId, campaignId)).stats.inProgress, 1);
});
