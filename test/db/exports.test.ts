import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { campaignResults } from '../../src/features/campaigns/results/results.ts';
import { planOf } from '../../src/features/campaigns/plan/plan.ts';
import { exportContacts } from '../../src/features/contacts/csv/export.ts';
import { readInBackgroundOf } from '../../src/kernel/long-reads.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';
import { recordStatements } from '../support/plans.ts';

const rows = 700;
const { app, close } = await createTestApp();
after(() => close());
readInBackgroundOf(app.db, app.background);
const { orgId, campaignId } = await fillDatabase(app.db, rows);

const large = /(?:from|join) "?(?:contacts|campaign_contacts|calls|do_not_call)\b/i;
/** The statement that looks up the newest contact once, when the export begins; the export ends with that contact. */
const isNewestId = /^select "id" from "contacts"/;

const linesOf = async (content: AsyncIterable<string | Uint8Array>): Promise<number> => {
  let text = '';
  for await (const part of content) text += String(part);
  return text.trim().split('\n').length;
};

test('exports and plans read contacts, campaign contacts and calls on the background thread', async (t) => {
  const statements = await recordStatements(t, app.db);
  const contacts = await exportContacts(app, orgId, { withHistory: false });
  assert.equal(await linesOf(contacts.content), rows + 1);
  const results = await campaignResults(app, orgId, campaignId, { format: 'csv', dialect: 'standard' });
  assert.equal(await linesOf(results.content), rows + 1);
  assert.ok((await planOf(app, orgId, campaignId)).eligible > 0);
  const onMain = statements.map(({ sql }) => sql).filter((sql) => large.test(sql) && !isNewestId.test(sql));
  assert.deepEqual(onMain, []);
});
