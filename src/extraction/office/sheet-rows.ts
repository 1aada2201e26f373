import { ExtractionError, TooMuchText } from '../errors.ts';
import { readCellFormats } from './cell-format.ts';
import { mainPartName, maxDescriptionBytes, readPart, readRelationships } from './open-packaging.ts';
import { sharedStringsHandler } from './shared-strings.ts';
import { sheetHandler, type SheetRow, type Workbook } from './sheet.ts';
import { createXmlReader } from './xml.ts';
import { readVisibleSheets, worksheetTargets } from './xlsx.ts';
import { openZip, type ZipReader } from './zip.ts';

export type SheetLimits = {
  /** All parts that are read, unpacked. */
  maxUnpackedBytes: number;
  /** Memory for the texts that cells share, in bytes. */
  maxStringBytes: number;
  /** Characters of one row. */
  maxRowChars: number;
  /** The text of all rows, in bytes. A text that cells share counts in each of them. */
  maxTextBytes: number;
};

/** Memory that a string takes besides its characters, including its entry in the list. */
const stringOverheadBytes = 32;

/**
 * Reads the first visible sheet of a workbook row by row, with its texts unchanged, so that only the shared texts are in memory whole.
 * Yields undefined after each piece of work that made no row, so that a caller can do something else in between.
 * @throws ExtractionError when the file is damaged or exceeds a limit
 */
export async function* firstSheetRows(bytes: Uint8Array, limits: SheetLimits): AsyncGenerator<SheetRow | undefined> {
  const zip = openZip(bytes, limits.maxUnpackedBytes);
  const main = mainPartName(zip);
  const relationships = readRelationships(zip, main);
  const targetOf = (type: string): string | undefined => relationships.find((each) => each.type === type)?.target;
  const { sheets, from1904 } = readVisibleSheets(readPart(zip, main, maxDescriptionBytes));
  const targetOfSheet = worksheetTargets(relationships);
  const sheet = sheets.flatMap(({ id }) => targetOfSheet.get(id) ?? []).at(0);
  if (sheet === undefined || !zip.names.includes(sheet)) throw new ExtractionError('The file has no sheet with rows.');
  const strings: string[] = [];
  const styles = targetOf('styles');
  const workbook: Workbook = {
    strings,
    formats: readCellFormats(styles === undefined ? undefined : zip.read(styles, maxDescriptionBytes)),
    from1904,
  };
  const stringsPart = targetOf('sharedStrings');
  if (stringsPart !== undefined) yield* fillStrings(zip, stringsPart, strings, limits);
  yield* rowsOf(zip, sheet, workbook, limits);
}

async function* fillStrings(
  zip: ZipReader,
  part: string,
  strings: string[],
  { maxStringBytes }: SheetLimits,
): AsyncGenerator<undefined> {
  let leftBytes = maxStringBytes;
  const keep = (text: string): void => {
    leftBytes -= textBytes(text) + stringOverheadBytes;
    if (leftBytes < 0) throw new TooMuchText(maxStringBytes);
    strings.push(compact(text));
  };
  const reader = createXmlReader(sharedStringsHandler(keep));
  for await (const piece of zip.pieces(part)) {
    reader.write(piece);
    yield undefined;
  }
  reader.end();
}

const isLatin1 = (text: string): boolean => !/[\u0100-\uFFFF]/.test(text);

/** V8 stores a string with one byte for each character if all of them are Latin-1, else with two. */
const textBytes = (text: string): number => (isLatin1(text) ? text.length : 2 * text.length);

/** A copy without the decoded piece of the file that V8 keeps in memory for as long as any part of it is used. */
function compact(text: string): string {
  const encoding = isLatin1(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

async function* rowsOf(
  zip: ZipReader,
  part: string,
  workbook: Workbook,
  { maxRowChars, maxTextBytes }: SheetLimits,
): AsyncGenerator<SheetRow | undefined> {
  let rows: SheetRow[] = [];
  let rowChars = 0;
  let leftBytes = maxTextBytes;
  const handler = sheetHandler(workbook, {
    cell(text) {
      rowChars += text.length;
      if (rowChars > maxRowChars) throw new ExtractionError(`A row has more than ${maxRowChars} characters.`);
      leftBytes -= Buffer.byteLength(text);
      if (leftBytes < 0) throw new TooMuchText(maxTextBytes);
      return text;
    },
    row(_number, cells) {
      rowChars = 0;
      rows.push(cells);
    },
  });
  const reader = createXmlReader(handler);
  for await (const piece of zip.pieces(part)) {
    reader.write(piece);
    yield* rows;
    rows = [];
    yield undefined;
  }
  reader.end();
  yield* rows;
}
