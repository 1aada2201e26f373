import { normalizeLine } from '../blocks/normalize.ts';
import type { TextBudget } from '../limits.ts';
import { type NumberFormat, formatNumber } from './cell-format.ts';
import { attributeOf, readXml, type XmlHandler } from './xml.ts';

/** A row's cells with text, by column. Empty rows between others are kept, because they separate tables. */
export type SheetRow = ReadonlyMap<number, string>;

export type Workbook = { strings: readonly string[]; formats: readonly NumberFormat[]; from1904: boolean };

/** Spreadsheets allow 32,767. The rest of a longer text is dropped, so that a single cell cannot fill the memory. */
export const maxCellChars = 1_048_576;

/** The last column of a spreadsheet is XFD. */
const maxColumns = 16_384;

/** Column of a cell reference, from 0: "BC12" → 54. Undefined if it is not a reference. */
function parseColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = -1;
  for (let index = 0; index < letters.length; index += 1) column = (column + 1) * 26 + letters.charCodeAt(index) - 65;
  return column < maxColumns ? column : undefined;
}

/** Reads the rows of a worksheet (ECMA-376, part 1, 18.3), ignoring the dimensions it declares. */
export function readSheet(part: Uint8Array, workbook: Workbook, budget: TextBudget): SheetRow[] {
  const rows: SheetRow[] = [];
  let lastNumber = 0;
  const handler = sheetHandler(workbook, {
    cell(text) {
      const line = normalizeLine(text);
      if (line !== '') budget.spend(line.length);
      return line;
    },
    row(number, row) {
      if (number > lastNumber + 1 && rows.length > 0) rows.push(new Map());
      lastNumber = number;
      rows.push(row);
    },
  });
  readXml(part, handler);
  return rows;
}

type SheetReceiver = {
  /** Takes the text of a cell and returns what the row keeps of it; an empty text is left out. */
  cell(text: string): string;
  /** Takes a row, numbered from 1. Rows without cells may be missing. */
  row(number: number, cells: SheetRow): void;
};

/** Turns the XML of a worksheet into rows. */
export function sheetHandler(workbook: Workbook, receiver: SheetReceiver): XmlHandler {
  let row = new Map<number, string>();
  let rowNumber = 0;
  let cell = { column: -1, type: 'n', format: 0, value: '' };
  let inValue = false;
  let phonetic = false;
  const closeCell = (): void => {
    const text = receiver.cell(cellText(cell, workbook));
    if (text !== '') row.set(cell.column, text);
  };
  return {
    open(name, attributes) {
      if (name === 'row') {
        rowNumber = Number(attributeOf(attributes, 'r') ?? rowNumber + 1);
        row = new Map();
      } else if (name === 'c') {
        const column = parseColumn(attributeOf(attributes, 'r')) ?? cell.column + 1;
        const format = Number(attributeOf(attributes, 's') ?? 0);
        cell = { column, type: attributeOf(attributes, 't') ?? 'n', format, value: '' };
      } else if (name === 'rPh') phonetic = true;
      else if (name === 'v' || name === 't') inValue = true;
    },
    text(text) {
      if (inValue && !phonetic && cell.value.length < maxCellChars) cell.value += text;
    },
    close(name) {
      if (name === 'c') closeCell();
      else if (name === 'rPh') phonetic = false;
      else if (name === 'v' || name === 't') inValue = false;
      else if (name === 'row') {
        cell.column = -1;
        receiver.row(rowNumber, row);
      }
    },
  };
}

type Cell = { type: string; format: number; value: string };

function cellText({ type, format, value }: Cell, { strings, formats, from1904 }: Workbook): string {
  if (value === '') return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  const number = Number(value);
  return Number.isFinite(number) ? formatNumber(number, formats[format] ?? 'number', from1904) : value;
}
