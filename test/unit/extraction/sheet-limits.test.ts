import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { parseFormatCode, readCellFormats } from '../../../src/extraction/office/cell-format.ts';
import { extract } from '../../../src/extraction/extract.ts';
import { firstSheetRows } from '../../../src/extraction/office/sheet-rows.ts';
import { xlsxOf } from '../../support/documents/office.ts';

const mebibyte = 2 ** 20;
const limits = {
  maxUnpackedBytes: 256 * mebibyte,
  maxStringBytes: 64 * mebibyte,
  maxRowChars: mebibyte,
  maxTextBytes: 64 * mebibyte,
};
const rowsOf = async (bytes: Buffer, over: Partial<typeof limits> = {}) =>
  (await Array.fromAsync(firstSheetRows(bytes, { ...limits, ...over }))).filter((row) => row !== undefined);

const workbook = (overrides: Record<string, string> = {}): Buffer =>
  xlsxOf([{ name: 'S', rows: [['phone'], ['+4930901820']] }], undefined, overrides);

/**
 * A workbook with 1,000 short texts, each in a piece of 64 KiB. It is made in a function of its own, so that the memory for making it is
 * freed.
 */
function padded(): Promise<Buffer> {
  const text = `<si><t>a text of more than twelve characters</t></si>${' '.repeat(65_536)}`;
  return Promise.resolve(workbook({ 'xl/sharedStrings.xml': `<sst>${text.repeat(1000)}</sst>` }));
}

// This test comes first, because garbage that other tests leave would be counted.
test('a short text keeps nothing else of the file in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const usedBytes = async (): Promise<number> => {
    // Memory outside the heap is freed in a task that runs after the garbage collection.
    for (let round = 0; round < 3; round += 1) {
      collectGarbage();
      await nextMacrotask();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const file = await padded();
  const rows = firstSheetRows(file, limits);
  const before = await usedBytes();
  for (let row = await rows.next(); row.value === undefined; row = await rows.next());
  const grownBytes = (await usedBytes()) - before;
  await rows.return(undefined);
  assert.ok(grownBytes < 25 * mebibyte, `${grownBytes} bytes`);
});

test('a workbook has at most 65,536 cell formats, and a format code at most 1,000 characters', () => {
  const styles = `<styleSheet><cellXfs>${'<xf numFmtId="9"/>'.repeat(70_000)}</cellXfs></styleSheet>`;
  const formats = readCellFormats(Buffer.from(styles));
  assert.equal(formats.length, 65_536);
  assert.ok(formats.every((format) => format === 'percent'));
  assert.equal(parseFormatCode(`${'0'.repeat(996)}yyyy`), 'date');
  assert.equal(parseFormatCode(`${'0'.repeat(1000)}yyyy`), 'number');
});

test('a part that only describes the workbook is refused beyond 8 MiB, by an import and by the knowledge base', async () => {
  const filling = ' '.repeat(8 * mebibyte);
  for (const part of ['xl/styles.xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels']) {
    const file = workbook({ [part]: `<any>${filling}</any>` });
    const expected = new RegExp(`too large when unpacked \\(at its part ${part}\\)`);
    await assert.rejects(rowsOf(file), expected);
    await assert.rejects(extract({ bytes: file }, { ...limits, maxTextChars: mebibyte }), expected);
  }
});

test('the texts of a sheet are counted with two bytes a character unless all are Latin-1', async () => {
  const texts = (text: string): Buffer => xlsxOf([{ name: 'S', rows: [[text.repeat(1000)]] }]);
  assert.equal((await rowsOf(texts('ö'), { maxStringBytes: 1100 })).length, 1);
  await assert.rejects(rowsOf(texts('я'), { maxStringBytes: 1100 }), { name: 'TooMuchText' });
  assert.equal((await rowsOf(texts('я'), { maxStringBytes: 2100 })).length, 1);
  assert.equal((await rowsOf(texts('я'), { maxStringBytes: 2100 }))[0]?.get(0), 'я'.repeat(1000));
});

test('a text that cells share counts in each of them', async () => {
  const rows = xlsxOf([{ name: 'S', rows: Array.from({ length: 11 }, () => ['ö'.repeat(500)]) }]);
  assert.equal((await rowsOf(rows, { maxTextBytes: 11_000 })).length, 11);
  await assert.rejects(rowsOf(rows, { maxTextBytes: 10_999 }), { name: 'TooMuchText' });
});
