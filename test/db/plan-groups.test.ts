import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { planFacts } from '../../src/features/campaigns/plan/store.ts';
import { countryZone } from '../../src/features/contacts/person-zone.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, 20);

const count = 20_000;
/** Any digits, though always the same; most are numbers of some country. */
const phoneOf = (index: number): string => `+${String(1e10 + ((index * 7_919_000_003) % 9e10))}`;

test('numbers from all over the world are a group for each time zone, not for each beginning of a number', async () => {
  const phones = Array.from({ length: count }, (_, index) => phoneOf(index));
  const beginnings = new Set(phones.map((phone) => phone.slice(0, 7)));
  assert.ok(beginnings.size > 0.9 * count, `${beginnings.size} beginnings`);
  await sql`DELETE FROM campaign_contacts WHERE campaign_id = ${campaignId}`.execute(app.db);
  await sql`INSERT INTO campaign_contacts (id, campaign_id, position, phone, status, timezone)
    SELECT 'group-' || key, ${campaignId}, key, value, 'pending', '' FROM json_each(${JSON.stringify(phones)})`.execute(
    app.db,
  );
  const byZone = new Map<string, number>();
  for (const phone of phones) byZone.set(countryZone(phone), (byZone.get(countryZone(phone)) ?? 0) + 1);
  const { groups } = await planFacts(app.db, { orgId, campaignId, caps: null, byCountry: true });
  assert.equal(groups.length, byZone.size);
  assert.deepEqual(Object.fromEntries(groups.map((group) => [group.country, group.count])), Object.fromEntries(byZone));
  assert.ok(groups.length > 50 && groups.length < 250, `${groups.length} groups`);
  const { groups: ofAll } = await planFacts(app.db, { orgId, campaignId, caps: null, byCountry: false });
  assert.deepEqual(
    ofAll.map((group) => [group.country, group.count]),
    [['', count]],
  );
});

test('who must not be called is found by numbers, and by the contact itself only where its number has changed', async (t) => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const id = `0199ffff-0000-7000-8000-00000000000${n}`;
      await sql`INSERT INTO contacts (id, organization_id, phone, do_not_call, search, created_at, updated_at)
        VALUES (${id}, ${orgId}, ${`+49300000${n}`}, ${n < 3 ? 1 : 0}, '', 1, 1)`.execute(app.db);
      return id;
    }),
  );
  await sql`DELETE FROM campaign_contacts WHERE campaign_id = ${campaignId}`.execute(app.db);
  await sql`INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, phone, status, timezone)
    SELECT 'found-' || id, ${campaignId}, id, row_number() OVER (), phone, 'pending', '' FROM contacts
    WHERE id IN (${sql.join(ids)})`.execute(app.db);
  await sql`UPDATE contacts SET phone = '+4930111' WHERE id IN (${ids[0]}, ${ids[3]})`.execute(app.db);
  await sql`INSERT INTO do_not_call (organization_id, phone, created_at) VALUES (${orgId}, '+493000004', 1)`.execute(
    app.db,
  );
  await sql`UPDATE campaign_zones SET pending = 6 WHERE campaign_id = ${campaignId} AND timezone = ''`.execute(app.db);
  const statements = await recordStatements(t, app.db);
  const { groups } = await planFacts(app.db, { orgId, campaignId, caps: null, byCountry: false });
  assert.deepEqual(
    groups.map(({ count: waiting }) => waiting),
    [2],
    'three are flagged, one of them with another number by now, and one is on the list',
  );
  const waiting = statements.find(({ sql: text }) => text.includes('do_not_call'))!;
  const steps = await planOf(app.db, waiting);
  assert.ok(steps.some((step) => step.startsWith('SEARCH p USING COVERING INDEX contacts_by_phone')));
});
