import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { nextInCampaign, nextInZones, update } from '../../src/features/campaigns/contacts/store.ts';
import { waitingAfter } from '../../src/features/campaigns/dialing/retries-store.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, 400);
const allZones = ['', 'Europe/Berlin', 'America/New_York'];

/** The pending contacts in the order in which they are called at an instant. */
async function queueAt(now: number, zones: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM campaign_contacts
    WHERE campaign_id = ${campaignId} AND status = 'pending' AND (next_retry_at IS NULL OR next_retry_at <= ${now})
      AND timezone IN (${sql.join(zones)})
    ORDER BY next_retry_at IS NULL, next_retry_at, position`.execute(app.db);
  return rows.map(({ id }) => id);
}

test('contacts with and without a time zone of their own are called in one order: due retries, then first attempts', async () => {
  for (const zones of [allZones, ['', 'Europe/Berlin'], ['America/New_York'], ['']]) {
    const queue = await queueAt(firstAt, zones);
    assert.ok(queue.length > 5, zones.join());
    assert.deepEqual(await calledFrom(zones), queue, zones.join());
  }
});

/** Calls everybody in these time zones, and takes it back. */
async function calledFrom(zones: readonly string[]): Promise<string[]> {
  const called: string[] = [];
  const asked = { orgId, campaignId, now: firstAt, resumptions: null };
  const undone = new Error('undone');
  const calling = transact(app.db, orgId, async (tx) => {
    const next = () => (zones === allZones ? nextInCampaign(tx, asked) : nextInZones(tx, { ...asked, zones }));
    for (let contact = await next(); contact; contact = await next()) {
      called.push(contact.id);
      await update(tx, contact.id, { status: 'in_progress', next_retry_at: null });
    }
    throw undone;
  });
  await assert.rejects(calling, undone);
  return called;
}

test('the dialer finds the next contact, and a new schedule the waiting retries, without reading others', async (t) => {
  const statements = await recordStatements(t, app.db);
  for (const analyzed of [false, true]) {
    if (analyzed) await sql`ANALYZE`.execute(app.db);
    statements.length = 0;
    const asked = { orgId, campaignId, now: firstAt, resumptions: null };
    await nextInCampaign(app.db, asked);
    await nextInZones(app.db, { ...asked, zones: allZones });
    await waitingAfter(app.db, campaignId, 10, 5);
    for (const statement of statements.splice(0)) {
      const steps = await planOf(app.db, statement);
      // With time zones, one contact of each is sorted.
      const isOfZones = steps.some((step) => step.startsWith('SCAN zone VIRTUAL TABLE'));
      const fault = isOfZones ? /^SCAN (?!zone VIRTUAL TABLE)/ : /TEMP B-TREE|^SCAN (?!\(subquery|found$)/;
      const faults = steps.filter((step) => fault.test(step));
      assert.deepEqual(faults, [], statement.sql);
      assert.ok(!steps.some((step) => step.includes('sqlite_autoindex_campaign_contacts')), statement.sql);
    }
  }
});
