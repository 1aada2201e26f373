import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../../src/db/transaction.ts';
import { importContacts } from '../../../src/features/contacts/import/import.ts';
import { tableFilesOf } from '../../../src/features/contacts/import/thread.ts';
import { importOptionsOf } from '../../../src/features/contacts/import/wire.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { createTestApp } from '../../support/app.ts';
import { uploadOf } from '../../support/uploads.ts';

test('a batch of large rows is committed before it has the maximum number of rows', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  t.after(() => tableFilesOf(app).close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const { file, close: closeFile } = uploadOf(
    `phone,note\n${`+4930901820,${'x'.repeat(65_000)}\n`.repeat(60)}+4930901820,last\n`,
  );
  t.after(closeFile);
  let rows = 0;
  const committed: number[] = [];
  const upload = {
    file,
    contentType: 'text/csv',
    rowFaults: () => {
      rows += 1;
      return [];
    },
    isAbandoned: () => false,
  };
  const destination = {
    async refusals(db: typeof app.db) {
      const found = await db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).execute();
      committed.push(found.length);
      return () => undefined;
    },
    join: () => Promise.resolve(),
  };
  const { result } = await importContacts(app, orgId, upload, importOptionsOf({ dedupe: 'none' }), {
    destination,
    recordCutOff: () => Promise.reject(new Error('nothing failed')),
  });
  assert.deepEqual([result.created, result.total, rows], [61, 61, 61]);
  assert.ok(committed.at(-1)! >= 16, `only ${committed.at(-1)} contacts were committed before the last batch`);
});

test('a dry run ends when its client has gone; an import goes on', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  t.after(() => tableFilesOf(app).close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const { file, close: closeFile } = uploadOf(`first_name\n${'Ada\n'.repeat(5000)}`);
  t.after(closeFile);
  let rows = 0;
  const upload = {
    file,
    contentType: 'text/csv',
    rowFaults: () => {
      rows += 1;
      return [];
    },
    isAbandoned: () => rows >= 600,
  };
  const run = (dry: boolean) =>
    importContacts(app, orgId, upload, importOptionsOf({ dedupe: 'none', dry_run: dry }), {
      recordCutOff: () => Promise.reject(new Error('nothing was written')),
    });
  await assert.rejects(run(true), /The connection was closed during the dry run/);
  assert.ok(rows >= 600 && rows < 2000, `${rows} rows were read`);
  const read = rows;
  await assert.rejects(run(true));
  assert.equal(rows, read, 'a dry run that waited for its turn reads nothing');
  assert.equal((await run(false)).result.created, 5000);
});
