import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { planFacts } from '../../src/features/campaigns/plan/store.ts';
import { countryZone } from '../../src/features/contacts/person-zone.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';

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
