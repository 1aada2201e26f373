import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvLine, escapeFormula, unescapeFormula } from '../../../src/features/contacts/csv/cells.ts';
import { type Column, columnsOf as readColumns } from '../../../src/features/contacts/import/columns.ts';
import { rejectionOf } from '../../../src/features/contacts/import/rejection.ts';
import { rowInput as readRow } from '../../../src/features/contacts/import/row.ts';
import { openCsv } from '../../../src/features/contacts/import/csv-table.ts';
import type { TableRow } from '../../../src/features/contacts/import/table.ts';
import { uploadOf } from '../../support/uploads.ts';

/** Reads a file to its end. */
async function rowsOf(content: string | Buffer): Promise<TableRow[]> {
  const { file, close } = uploadOf(content);
  try {
    const rows = await Array.fromAsync(openCsv(file, null, {}).rows);
    return rows.filter((row) => row !== undefined);
  } finally {
    close();
  }
}

const columnsOf = (names: readonly string[]): Column[] => readColumns(names, { mapping: {}, takesTags: false });
const rowInput = (columns: readonly Column[], cells: readonly string[]) => readRow(columns, cells, null);
const targetsOf = (names: readonly string[]) => columnsOf(names).map(({ target }) => target);

const cellsOf = async (content: string): Promise<unknown[]> =>
  (await rowsOf(content)).map((row) => ('cells' in row ? row.cells : row.error));

/** Any text, often with the characters that are special in CSV and in spreadsheets. */
const anyCell = fc.oneof(
  fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', ' ', 'a', '1', 'é', '🦜'),
  }),
  fc.string(),
);

test('a cell that a spreadsheet could run gets an apostrophe; phone numbers and all other text stay unchanged', () => {
  for (const cell of ['=1+1', '-1', '@SUM(A1)', '\tx', '\rx', '+1', '+49 30 901820', "'=1", "''+"]) {
    assert.equal(escapeFormula(cell), `'${cell}`);
  }
  for (const cell of ['', 'Ada', '+4930901820', "'", "'tis", 'a=b', ' =1', '1-2', '🦜'])
    assert.equal(escapeFormula(cell), cell);
});

test('no escaped cell starts like a formula, and unescaping restores any text', () => {
  fc.assert(
    fc.property(anyCell, (cell) => {
      const safe = escapeFormula(cell);
      assert.ok(!/^[=\-@\t\r]/.test(safe));
      assert.ok(!safe.startsWith('+') || /^\+\d{7,15}$/.test(safe));
      assert.equal(unescapeFormula(safe), cell);
    }),
    { numRuns: 2000 },
  );
});

test('lines written by csvLine are read back unchanged', async () => {
  const anyRows = fc.array(fc.array(anyCell, { minLength: 3, maxLength: 3 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const wellFormed = rows
        .map((cells) => cells.map((cell) => cell.toWellFormed()))
        .filter((cells) => cells.some((cell) => cell.trim() !== '')); // empty rows at the end are left out
      const read = await rowsOf('phone,email,company\r\n' + wellFormed.map((row) => csvLine(row)).join(''));
      assert.deepEqual(
        read.map((row) => ('cells' in row ? row.cells.map(unescapeFormula) : row)),
        wellFormed,
      );
    }),
    { numRuns: 300 },
  );
});

test('the separator is the comma, semicolon or tab that yields the most contact fields in the header', async () => {
  assert.deepEqual(await cellsOf('phone,company\n1,"a;b"\n'), [['1', 'a;b']]);
  assert.deepEqual(await cellsOf('phone;company, or none\n1;a,b\n'), [['1', 'a,b']]);
  assert.deepEqual(await cellsOf('phone\tlast name\n1\ta;b,c\n'), [['1', 'a;b,c']]);
  assert.deepEqual(await cellsOf('"x,y";phone;z\n1;2;3\n'), [['1', '2', '3']]);
  assert.deepEqual(
    await cellsOf('phone\n1,2\n'),
    [['1', '2']],
    'a single column is read as comma-separated, so that a surplus cell is noticed',
  );
});

test('a byte order mark, any line ending, empty lines, quoted line endings, doubled and stray quotes are all read', async () => {
  assert.deepEqual(await cellsOf('\ufeff"phone",company\r\n1,"a\r\nb"\r\n\r\n2,"say ""hi"""\n3,x\r4,y'), [
    ['1', 'a\r\nb'],
    ['2', 'say "hi"'],
    ['3', 'x'],
    ['4', 'y'],
  ]);
  assert.deepEqual(await cellsOf('phone,company\n1,5" disk\n2,"The "A" Team"\n3,ok\n'), [
    ['1', '5" disk'],
    ['2', '"The "A" Team"'],
    ['3', 'ok'],
  ]);
});

test('a quote that is never closed ends the table with a row that reports it', async () => {
  const rows = await rowsOf('phone\n1\n"2\n3\n');
  assert.deepEqual(rows[0], { row: 1, cells: ['1'] });
  assert.match((rows[1] as { error: string }).error, /^The row has a quote that is never closed/);
  assert.equal(rows.length, 2);
  const endless = await rowsOf(`phone\n1\n"${'x'.repeat(5_000_000)}\n3\n`);
  assert.match((endless[1] as { error: string }).error, /^The row is longer than \d+ bytes/);
  assert.equal(endless.length, 2);
});

test('a file without a usable header is refused', () => {
  const refusal = (content: string, message: RegExp): void => {
    const { file, close } = uploadOf(content);
    assert.throws(() => columnsOf(openCsv(file, null, {}).header), { kind: 'invalid', message });
    close();
  };
  refusal('', /empty/);
  refusal('\n\r\n', /empty/);
  refusal('\ufeff', /empty/);
  refusal('Ada,Lovelace,+4930901820\n', /names no field of a contact/);
  refusal('phone,Phone\n', /names "Phone" again in column 2;/);
  refusal('phone,a,a\n', /names "a" again in column 3;/);
  refusal(`phone,${'x'.repeat(40_000)}\n`, /header row is longer/);
  refusal('"phone\n1\n', /never closed/);
});

test('column names match in any case, with or without spaces, hyphens and underscores; others are metadata keys', () => {
  const fields = (...names: string[]) =>
    targetsOf(names).map((target) => (target.to === 'field' ? target.field : target.to));
  assert.deepEqual(fields('first_name', 'LastName', 'E-Mail', ' PHONE ', 'Company', 'Time Zone', 'doNotCall'), [
    'first_name',
    'last_name',
    'email',
    'phone',
    'company',
    'timezone',
    'do_not_call',
  ]);
  assert.deepEqual(targetsOf(['phone', ' Customer No. ', '__proto__', 'Metadata', '']), [
    { to: 'field', field: 'phone' },
    { to: 'key', key: 'Customer No.' },
    { to: 'key', key: '__proto__' },
    { to: 'metadata' },
    { to: 'unnamed' },
  ]);
});

test('id and timestamps are ignored in an export and are metadata keys in any other file', () => {
  const kinds = (...names: string[]) => targetsOf(names).map(({ to }) => to);
  assert.deepEqual(kinds('id', 'phone', 'created_at', 'updated_at'), ['nothing', 'field', 'nothing', 'nothing']);
  assert.deepEqual(kinds('id', 'phone', 'created_at'), ['key', 'field', 'key']);
});

test('a row sets the fields whose cells are not empty', () => {
  const columns = columnsOf(['first_name', 'phone', 'do_not_call', 'metadata', 'plan', '__proto__', '']);
  const { input, metadata, faults } = rowInput(columns, [
    ' Ada ',
    ' +4930901820\t',
    'YES',
    '{"n":1.0,"plan":"x"}',
    "'=gold",
    'p',
    '',
  ]);
  assert.deepEqual(faults, []);
  assert.deepEqual(input, { first_name: 'Ada', phone: '+4930901820', do_not_call: true });
  assert.equal(metadata, '{"n":1.0,"plan":"=gold","__proto__":"p"}');
  assert.equal(({} as Record<string, unknown>)['p'], undefined);
  assert.deepEqual(rowInput(columns, ['', '', 'no', '', ' ', '', '']).input, { do_not_call: false });
});

test('a row is rejected with a reason if it does not fit the header or is empty, and metadata that is no JSON object is a fault', () => {
  const columns = columnsOf(['phone', 'metadata', '']);
  const reason = (...cells: string[]) => {
    const { input, faults } = rowInput(columns, cells);
    return rejectionOf(input, faults, { joins: false, strict: true }) ?? '';
  };
  assert.equal(reason('1', '', '', ''), 'The row has 4 cells, the header has 3');
  assert.equal(reason('1'), 'The row has 1 cell, the header has 3');
  assert.equal(reason('', ' ', ''), 'The row is empty');
  assert.equal(reason('1', '', 'x'), 'The row has a value in column 3, which has no name');
  for (const text of ['{', '[]', 'null', '1', '"x"', `{"a":${'['.repeat(63)}${']'.repeat(63)}}`]) {
    assert.match(reason('+4930901820', text, ''), /^metadata must be a JSON object/);
  }
  assert.equal(reason('+4930901820', `{"a":${'['.repeat(62)}${']'.repeat(62)}}`, ''), '');
});
