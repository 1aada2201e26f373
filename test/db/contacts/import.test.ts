import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../../src/db/transaction.ts';
import { importContacts } from '../../../src/features/contacts/import/import.ts';
import { type ImportProgress, progressOf } from '../../../src/features/contacts/import/progress.ts';
import { tableFilesOf } from '../../../src/features/contacts/import/thread.ts';
import { importOptionsOf } from '../../../src/features/contacts/import/wire.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { createTestApp } from '../../support/app.ts';
import type { App } from '../../../src/kernel/app.ts';
import type { Upload } from '../../../src/kernel/route.ts';
import { operator } from '../../../src/features/requests/audit.ts';
import { xlsxOf } from '../../support/documents/office.ts';
import { uploadOf } from '../../support/uploads.ts';

const by = { actor: operator, operation: 'importContacts' };

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
    leaveOut: () => Promise.resolve(),
  };
  const { result } = await importContacts(app, orgId, upload, importOptionsOf({ dedupe: 'none' }), {
    destination,
    by,
    recordCutOff: () => Promise.reject(new Error('nothing failed')),
  });
  assert.deepEqual([result.created, result.total, rows], [61, 61, 61]);
  assert.ok(committed.at(-1)! >= 16, `only ${committed.at(-1)} contacts were committed before the last batch`);
});

test('an import or a dry run ends when its client has gone, and what was committed stays and is recorded', async (t) => {
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
  const recorded: number[] = [];
  const run = (dry: boolean) =>
    importContacts(app, orgId, upload, importOptionsOf({ dedupe: 'none', dry_run: dry }), {
      by,
      recordCutOff: (_tx, { result }) => Promise.resolve(void recorded.push(result.created)),
    });
  await assert.rejects(run(true), /The connection was closed during the dry run/);
  assert.ok(rows >= 600 && rows < 2000, `${rows} rows were read`);
  const read = rows;
  await assert.rejects(run(true));
  assert.equal(rows, read, 'a dry run that waited for its turn reads nothing');
  rows = 0;
  await assert.rejects(run(false), /The connection was closed during the import/);
  const { id } = await app.db.selectFrom('imports').select('id').executeTakeFirstOrThrow();
  const progress = await progressOf(app, orgId, id);
  const contacts = await app.db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).execute();
  assert.deepEqual(recorded, [contacts.length]);
  assert.deepEqual(
    [progress.state, progress.created, progress.rowsRead],
    ['stopped', contacts.length, contacts.length],
  );
  assert.equal(typeof progress.endedAt, 'number');
  assert.ok(contacts.length > 0 && contacts.length < 2000, `${contacts.length} contacts were written`);
});

test('a running import says what it has committed, and its id is taken', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  t.after(() => tableFilesOf(app).close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const importId = app.ids.make();
  const { file, close: closeFile } = uploadOf(`first_name,email\n${'Ada,nobody\n'.repeat(600)}1,2,3\n`);
  t.after(closeFile);
  let rows = 0;
  const meanwhile: Array<Promise<ImportProgress>> = [];
  const upload = {
    file,
    contentType: 'text/csv',
    rowFaults: () => {
      rows += 1;
      if (rows === 500) meanwhile.push(progressOf(app, orgId, importId));
      return [];
    },
    isAbandoned: () => false,
  };
  const run = () =>
    importContacts(app, orgId, upload, importOptionsOf({ dedupe: 'none', import_id: importId }), {
      by,
      recordCutOff: () => Promise.resolve(),
    });
  const first = run();
  await assert.rejects(run(), /import_id exists already/);
  const { result } = await first;
  const { state, endedAt, created, rowsRead } = await meanwhile[0]!;
  assert.deepEqual([state, endedAt, created === rowsRead, created > 0 && created < 500], ['running', null, true, true]);
  const { startedAt, endedAt: end, ...after } = await progressOf(app, orgId, importId);
  assert.deepEqual(after, {
    state: 'done',
    isDone: true,
    rowsRead: 601,
    created: 600,
    updated: 0,
    rejectedCount: 1,
    warningCount: 0,
  });
  assert.deepEqual([result.import_id, end! >= startedAt], [importId, true]);
  await assert.rejects(run(), /import_id exists already/);
});

/** A workbook with `count` rows that all name one shared text as first name. */
function sharing(text: string, count: number): Buffer {
  const row = '<row><c t="s"><v>1</v></c></row>';
  return xlsxOf([{ name: 'S', rows: [['first_name']] }], undefined, {
    'xl/sharedStrings.xml': `<sst><si><t>first_name</t></si><si><t>${text}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="s"><v>0</v></c></row>${row.repeat(count)}</sheetData></worksheet>`,
  });
}

function sheetImport(app: App, orgId: string, content: Buffer, rowFaults: Upload['rowFaults']) {
  const { file, close } = uploadOf(content);
  const upload = { file, contentType: 'application/octet-stream', rowFaults, isAbandoned: () => false };
  const options = importOptionsOf({ dedupe: 'none' });
  return importContacts(app, orgId, upload, options, { by, recordCutOff: () => Promise.resolve() }).finally(close);
}

test('rows that share one long text are handed on cut, and the event loop goes on between batches of rejected rows', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  t.after(() => tableFilesOf(app).close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  let longest = 0;
  let turns = 0;
  let rowsInTurn = 0;
  let maxRowsInTurn = 0;
  const count = (): void => {
    turns += 1;
    rowsInTurn = 0;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  t.after(() => clearImmediate(immediate));
  const { result } = await sheetImport(app, orgId, sharing('x'.repeat(30_000), 2000), (input) => {
    longest = Math.max(longest, (input as { first_name: string }).first_name.length);
    rowsInTurn += 1;
    maxRowsInTurn = Math.max(maxRowsInTurn, rowsInTurn);
    return [{ path: '', message: 'is too long' }];
  });
  assert.equal(result.rejected_count, 2000);
  assert.equal(longest, 1000);
  assert.ok(turns >= 2000 / 128 && maxRowsInTurn <= 128, `${maxRowsInTurn} rows in one of ${turns} turns`);
});

test('a workbook that unfolds to more than 64 MiB of text is refused as too large', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  t.after(() => tableFilesOf(app).close());
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  await assert.rejects(
    sheetImport(app, orgId, sharing('x'.repeat(1_000_000), 68), () => [{ path: '', message: 'is too long' }]),
    { kind: 'too_large', message: 'The file unfolds to more than 64 MiB of text. Split it into smaller files.' },
  );
});
