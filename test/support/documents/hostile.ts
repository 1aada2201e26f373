import { deflateSync } from 'node:zlib';
import { docxOf, wordParagraph, xlsxOf } from './office.ts';
import { pdfOf, linesAt, pdfWithContent } from './pdf.ts';
import { zipOf } from './zip.ts';

const mebibyte = 2 ** 20;

export type Hostile = { name: string; bytes: Buffer; file?: string };

/**
 * Documents built to exhaust a server's memory or time. Each is a small file.
 * @param size what the largest of them unpack to, in MiB; others use a fraction of it
 */
export const hostileDocuments = (size: number): ReadonlyArray<() => Hostile> => [
  () => ({ name: 'a part that unpacks a thousandfold', bytes: docxOf(' '.repeat(size * mebibyte)) }),
  () => ({ name: 'a shared string that all cells repeat', bytes: repeatingWorkbook(Math.ceil(size / 2)) }),
  () => ({ name: 'a sheet whose rows are at all ends of a huge dimension', bytes: diagonalWorkbook() }),
  () => ({ name: 'a ZIP that declares more entries than it has', bytes: lyingCount() }),
  () => ({
    name: 'a directory that points into itself',
    bytes: zipOf([{ name: 'word/document.xml', bytes: 'x', lies: { offset: 1 } }]),
  }),
  () => ({ name: 'XML that nests without end', bytes: docxOf('<w:p>'.repeat(500_000)) }),
  () => ({
    name: 'XML with entities of entities',
    bytes: docxOf(`<!DOCTYPE x [<!ENTITY a "${'b'.repeat(100)}">]>&a;&a;${wordParagraph('x')}`),
  }),
  () => ({
    name: 'ten megabytes of HTML in one line',
    bytes: text(`<html><p>${'word '.repeat((size / 100) * mebibyte)}`),
  }),
  () => ({ name: 'HTML that nests without end', bytes: text(`<html>${'<div>'.repeat((size / 100) * mebibyte)}`) }),
  () => ({ name: 'HTML of unclosed inline tags', bytes: text(`<html>${'<b>a'.repeat((size / 100) * mebibyte)}`) }),
  () => ({
    name: 'HTML with a million attributes',
    bytes: text(`<html><p ${'a=b '.repeat((size / 100) * mebibyte)}>x`),
  }),
  () => ({ name: 'HTML tables in tables', bytes: text(`<html>${'<table><tr><td>'.repeat(100_000)}x`) }),
  () => ({ name: 'a comment that never ends', bytes: text(`<html><p>x</p><!--${'-'.repeat((size / 20) * mebibyte)}`) }),
  () => ({ name: 'Markdown that nests without end', bytes: text('> '.repeat(size * 1000)), file: 'a.md' }),
  () => ({ name: 'Markdown of brackets', bytes: text('['.repeat((size / 400) * mebibyte)), file: 'a.md' }),
  () => ({ name: 'Markdown of stars', bytes: text('*a **b '.repeat(size * 500)), file: 'a.md' }),
  () => ({ name: 'CSV of separators', bytes: text(','.repeat((size / 20) * mebibyte)), file: 'a.csv' }),
  () => ({ name: 'CSV of quotes', bytes: text('"'.repeat(2 * Math.ceil((size / 80) * mebibyte) + 1)), file: 'a.csv' }),
  () => ({ name: 'a text of line ends', bytes: text(`a${'\n'.repeat((size / 10) * mebibyte)}`), file: 'a.txt' }),
  () => ({ name: 'a text of one letter', bytes: text('a'.repeat((size / 25) * mebibyte)), file: 'a.txt' }),
  () => ({ name: 'a PDF stream that unpacks a thousandfold', bytes: packedPdf(1, size * mebibyte) }),
  () => ({ name: 'a PDF stream that is packed twice', bytes: packedPdf(2, 2 * size * mebibyte) }),
  () => ({
    name: 'a PDF that says it has a billion pages',
    bytes: replaced(pdfOf([linesAt(700, ['x'])]), '/Count 1', '/Count 999999999'),
  }),
  () => ({
    name: 'a PDF whose pages are their own parents',
    bytes: replaced(pdfOf([linesAt(700, ['x'])]), '/Kids[4 0 R]', '/Kids[2 0 R]'),
  }),
  () => ({ name: 'a PDF of arrays in arrays', bytes: pdfWithContent(Buffer.from('['.repeat(mebibyte)), '') }),
  () => ({
    name: 'a PDF of dictionaries in dictionaries',
    bytes: replaced(pdfOf([linesAt(700, ['x'])]), '<</Type/Catalog', `<</X${'<</X'.repeat(200_000)}/Type/Catalog`),
  }),
];

const text = (content: string): Buffer => Buffer.from(content);
const replaced = (file: Buffer, from: string, to: string): Buffer =>
  Buffer.from(file.toString('latin1').replace(from, to), 'latin1');

/** A PDF page of zeros, which PDF treats as white space, compressed several times. */
function packedPdf(times: number, bytes: number): Buffer {
  let content: Buffer = Buffer.alloc(bytes);
  for (let count = 0; count < times; count += 1) content = deflateSync(content);
  return pdfWithContent(content, `/Filter[${'/FlateDecode'.repeat(times)}]`);
}

function repeatingWorkbook(rows: number): Buffer {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(1000)}</row>`;
  return xlsxOf([{ name: 'A', rows: [['word '.repeat(10_000)]] }], undefined, {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row.repeat(rows)}</sheetData></worksheet>`,
  });
}

function diagonalWorkbook(): Buffer {
  const name = (column: number): string =>
    (column >= 26 ? name(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
  const rows = Array.from(
    { length: 16_000 },
    (_, index) =>
      `<row r="${index + 1}"><c r="${name(index)}${index + 1}"><v>1</v></c><c r="A${index + 1}"><v>2</v></c></row>`,
  );
  return xlsxOf([{ name: 'A', rows: [], dimension: 'A1:XFD1048576' }], undefined, {
    'xl/worksheets/sheet1.xml': `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

function lyingCount(): Buffer {
  const file = docxOf(wordParagraph('Hello'));
  file.writeUInt16LE(0xfffe, file.length - 12);
  return file;
}
