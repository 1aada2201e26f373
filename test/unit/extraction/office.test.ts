import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFormatCode, formatNumber } from '../../../src/extraction/office/cell-format.ts';
import { docxOf, pptxOf, wordParagraph, wordTable, xlsxOf } from '../../support/documents/office.ts';
import { read } from './support.ts';

test("DOCX: headings, lists, tables and footnotes, whatever the styles are called in the user's language", async () => {
  const { format, title, chunks } = await read(
    docxOf(
      wordParagraph('Guide', 'berschrift1') +
        wordParagraph('Contents 1', 'TOC1') +
        wordParagraph('Hello & welcome.') +
        wordParagraph('One', 'Points') +
        wordParagraph('Deep', 'Normal', { id: 2, depth: 1 }) +
        wordParagraph('Two', 'Points') +
        wordParagraph('Returns', 'House') +
        wordTable([
          ['Item', 'Days'],
          ['Shoe', '30'],
        ]),
      { title: 'Our guide', footnotes: `<w:footnote>${wordParagraph('Except sale.')}</w:footnote>` },
    ),
  );
  assert.deepEqual([format, title], ['docx', 'Our guide']);
  assert.deepEqual(chunks, [
    { heading: 'Guide', page: null, text: 'Hello & welcome.\n\n- One\n  1. Deep\n- Two' },
    { heading: 'Guide › Returns', page: null, text: 'Item | Days\nShoe | 30\n\nExcept sale.' },
  ]);
});

test('DOCX: deleted, moved and duplicated text appears once', async () => {
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
  const body = `<w:p><w:del><w:r><w:delText>old </w:delText></w:r></w:del>${run('new')}<w:moveFrom>${run('moved')}</w:moveFrom><w:r><w:tab/><w:t>text</w:t><w:instrText>PAGE</w:instrText></w:r>
    <mc:AlternateContent><mc:Choice><w:txbxContent><w:p>${run('box')}</w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p>${run('box')}</w:p></mc:Fallback></mc:AlternateContent></w:p>`;
  assert.equal((await read(docxOf(body))).text, 'box\n\nnew text');
});

test('PPTX: slides are pages in presentation order, with notes and tables', async () => {
  const { format, title, chunks } = await read(
    pptxOf([
      { title: 'Returns', points: ['30 days', ' unworn', 'free'], notes: 'Smile here.' },
      {
        points: ['No title'],
        table: [
          ['Item', 'Days'],
          ['Shoe', '30'],
        ],
      },
    ]),
  );
  assert.deepEqual([format, title], ['pptx', 'Returns']);
  assert.deepEqual(chunks, [
    { heading: 'Returns', page: 1, text: '- 30 days\n  - unworn\n- free\n\nSmile here.' },
    { heading: 'Slide 2', page: 2, text: 'No title\n\nItem | Days\nShoe | 30' },
  ]);
});

test('XLSX: sheets are headings, and cells read as spreadsheet programs display them', async () => {
  const { format, chunks } = await read(
    xlsxOf([
      {
        name: 'Prices',
        rows: [
          ['Spring & summer'],
          ['Item', 'Price', 'From', 'VAT', null, 'In stock'],
          ['Shoe', 12.1 + 0.2, { number: 45000, format: 2 }, { number: 0.19, format: 1 }, null, true],
          [],
          ['Boot', { inline: 'none' }, { number: 45000.5, format: 3 }],
        ],
      },
      { name: 'Drafts', hidden: true, rows: [['secret']] },
    ]),
  );
  assert.equal(format, 'xlsx');
  assert.deepEqual(chunks, [
    {
      heading: 'Prices',
      page: null,
      text: 'Spring & summer\n\nItem | Price | From | VAT | In stock\nShoe | 12.3 | 2023-03-15 | 19% | TRUE\n\nBoot | none | 2023-03-15 12:00',
    },
  ]);
});

test('XLSX: the number format decides how a number is displayed', () => {
  const kinds = [
    '0.00',
    '0%',
    'dd.mm.yyyy',
    'h:mm',
    'yyyy-mm-dd hh:mm',
    '[Red]#,##0 "days"',
    '[h]:mm',
    String.raw`0.0\d`,
    'mmm',
  ];
  assert.deepEqual(kinds.map(parseFormatCode), [
    'number',
    'percent',
    'date',
    'time',
    'datetime',
    'number',
    'time',
    'number',
    'date',
  ]);
  assert.equal(formatNumber(0.1 + 0.2, 'number', false), '0.3');
  assert.equal(formatNumber(0.5, 'time', false), '12:00');
  assert.equal(formatNumber(60, 'date', false), '1900-02-28');
  assert.equal(formatNumber(0, 'date', true), '1904-01-01');
  assert.equal(formatNumber(1e300, 'date', false), '1e+300');
  assert.equal(formatNumber(-1, 'date', false), '-1');
});

test('XLSX: two cells at opposite corners of a sheet yield two cells', async () => {
  const sheet =
    '<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>';
  const file = xlsxOf([{ name: 'Far', rows: [] }], undefined, { 'xl/worksheets/sheet1.xml': sheet });
  assert.equal((await read(file)).text, 'Far\n\n1\n\n2');
});
