import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../../src/db/transaction.ts';
import { importContacts } from '../../../src/features/contacts/csv/import.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { createTestApp } from '../../support/app.ts';

test('a batch of large rows is committed before it has 500 rows', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const row = `${'x'.repeat(65_000)}\n`;
  const countContacts = async (): Promise<number> =>
    (await app.db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).execute()).length;
  let committedMeanwhile = 0;
  const upload = {
    async *read() {
      yield Buffer.from('company,note\n');
      for (let index = 0; index < 60; index++) yield Buffer.from(`Example,${row}`);
      committedMeanwhile = await countContacts();
      yield Buffer.from('Example,last\n');
    },
    rowFaults: () => [],
  };
  const result = await importContacts(app, orgId, upload, 'none');
  assert.deepEqual([result.created, result.total], [61, 61]);
  assert.ok(committedMeanwhile >= 16, `only ${committedMeanwhile} contacts were committed after 60 rows of 65 KB`);
});
