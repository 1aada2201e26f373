import { zipStream } from '../../../base/zip-stream.ts';

export type SheetCell = string | number | boolean | null;

/** Rows that a sheet can have, its header among them. */
export const maxSheetRows = 1_048_576;
const maxCellChars = 32_767;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageUrl = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const typeOf = (part: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`;

/** The parts of a workbook of one sheet (ECMA-376, part 1, section 18). Without styles, every program shows the cells by their types. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${packageUrl}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${typeOf('worksheet')}"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packageUrl}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageUrl}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

export const sheetType = typeOf('sheet').replace(/\+xml$/, '');

/** A workbook with these rows in its only sheet, written while they are read. */
export const workbookOf = (rows: AsyncIterable<SheetCell[][]>): AsyncGenerator<Buffer> =>
  zipStream([
    ...Object.entries(parts).map(([name, text]) => ({ name, content: [head + text] })),
    { name: 'xl/worksheets/sheet1.xml', content: sheetOf(rows) },
  ]);

async function* sheetOf(pages: AsyncIterable<SheetCell[][]>): AsyncGenerator<string> {
  yield `${head}<worksheet xmlns="${main}"><sheetData>`;
  for await (const rows of pages) yield rows.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`).join('');
  yield '</sheetData></worksheet>';
}

function cellOf(value: SheetCell): string {
  if (value === null || value === '') return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escape(value.slice(0, maxCellChars))}</t></is></c>`;
}

/** What XML 1.0 cannot hold, not even escaped: most control characters, and halves of surrogate pairs. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

const escape = (text: string): string =>
  text.replaceAll(unwritable, '\uFFFD').replaceAll(/[&<>\r]/g, (char) => escapes[char]!);
