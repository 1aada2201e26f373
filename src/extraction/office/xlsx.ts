import { type BlockCollector, createBlockCollector } from '../blocks/block-collector.ts';
import { createTextBudget, type ExtractionLimits } from '../limits.ts';
import type { Block } from '../model.ts';
import type { ZipReader } from './zip.ts';
import { readCellFormats } from './cell-format.ts';
import {
  mainPartName,
  maxDescriptionBytes,
  readPart,
  type Relationship,
  readRelationships,
  readTitle,
} from './open-packaging.ts';
import { readSheet, type SheetRow, type Workbook } from './sheet.ts';
import { readSharedStrings } from './shared-strings.ts';
import { attributeOf, isOff, readXml, relationId } from './xml.ts';

/**
 * Parses a workbook (ECMA-376, part 1, 18): each visible sheet is a heading with its tables, which empty rows separate.
 */
export function parseXlsx(zip: ZipReader, limits: ExtractionLimits): { title: string | null; blocks: Block[] } {
  const main = mainPartName(zip);
  const relationships = readRelationships(zip, main);
  const related = (type: string, maxBytes?: number): Buffer | undefined => {
    const relationship = relationships.find((each) => each.type === type);
    return relationship && zip.read(relationship.target, maxBytes);
  };
  const { sheets, from1904 } = readVisibleSheets(readPart(zip, main, maxDescriptionBytes));
  const workbook: Workbook = {
    strings: readSharedStrings(related('sharedStrings'), createTextBudget(limits)),
    formats: readCellFormats(related('styles', maxDescriptionBytes)),
    from1904,
  };
  const collector = createBlockCollector(createTextBudget(limits));
  const budget = createTextBudget(limits);
  const targetOfSheet = worksheetTargets(relationships);
  for (const { name, id } of sheets) {
    const target = targetOfSheet.get(id);
    if (target === undefined) continue; // a chart sheet has no rows
    collector.heading(1, name);
    for (const rows of splitAtEmptyRows(readSheet(readPart(zip, target), workbook, budget))) addTable(collector, rows);
  }
  return { title: readTitle(zip), blocks: collector.blocks };
}

/** The parts with the rows of worksheets, by the id under which the workbook names them; of an id that occurs twice, the first. */
export const worksheetTargets = (relationships: readonly Relationship[]): ReadonlyMap<string, string> =>
  new Map(
    relationships
      .filter(({ type }) => type === 'worksheet')
      .map(({ id, target }) => [id, target] as const)
      .toReversed(),
  );

export type Sheet = { name: string; id: string };

export function readVisibleSheets(part: Uint8Array): { sheets: Sheet[]; from1904: boolean } {
  const sheets: Sheet[] = [];
  let from1904 = false;
  readXml(part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = !isOff(attributeOf(attributes, 'date1904') ?? '0');
      if (name !== 'sheet' || /hidden/i.test(attributeOf(attributes, 'state') ?? '')) return;
      sheets.push({ name: attributeOf(attributes, 'name') ?? '', id: relationId(attributes) ?? '' });
    },
  });
  return { sheets, from1904 };
}

function* splitAtEmptyRows(rows: readonly SheetRow[]): Generator<SheetRow[]> {
  let table: SheetRow[] = [];
  for (const row of rows) {
    if (row.size > 0) table.push(row);
    else if (table.length > 0) {
      yield table;
      table = [];
    }
  }
  if (table.length > 0) yield table;
}

/**
 * A table with more cells than this, counting empty ones, is not aligned in columns: a mostly empty sheet would fill
 * the memory.
 */
const maxGridCells = 2_000_000;

/** Adds a table. Leading rows with a single cell are its title. */
function addTable(collector: BlockCollector, rows: readonly SheetRow[]): void {
  const start = rows.findIndex((row) => row.size > 1);
  for (const row of rows.slice(0, start === -1 ? undefined : start)) collector.paragraph([...row.values()].join(' '));
  if (start === -1) return;
  const body = rows.slice(start);
  const columns = [...new Set(body.flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b);
  const isTooLarge = columns.length * body.length > maxGridCells;
  collector.table(body.map((row) => (isTooLarge ? [...row.values()] : columns.map((column) => row.get(column) ?? ''))));
}
