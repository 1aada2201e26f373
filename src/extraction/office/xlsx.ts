import { type Collector, createBudget, createCollector, type Limits } from '../blocks/block-collector.ts';
import type { Block } from '../model.ts';
import type { Unzip } from './zip.ts';
import { cellFormats } from './cell-format.ts';
import { mainPartOf, partOf, relationsOf, titleIn } from './open-packaging.ts';
import { readSheet, type SheetRow, type Workbook } from './sheet.ts';
import { sharedStrings } from './shared-strings.ts';
import { attribute, isOff, readXml, relationId } from './xml.ts';

/** A workbook (ECMA-376, part 1, 18): a heading for each visible sheet, and its tables, which empty rows divide. */
export function parseXlsx(zip: Unzip, limits: Limits): { title: string | null; blocks: Block[] } {
  const main = mainPartOf(zip);
  const relations = relationsOf(zip, main);
  const related = (type: string): Buffer | undefined => {
    const relation = relations.find((each) => each.type === type);
    return relation && zip.read(relation.target);
  };
  const { sheets, from1904 } = sheetsOf(partOf(zip, main));
  const workbook: Workbook = {
    strings: sharedStrings(related('sharedStrings'), createBudget(limits)),
    formats: cellFormats(related('styles')),
    from1904,
  };
  const collector = createCollector(createBudget(limits));
  const budget = createBudget(limits);
  for (const { name, id } of sheets) {
    const relation = relations.find((each) => each.id === id && each.type === 'worksheet');
    if (!relation) continue; // a sheet that is a chart has no rows
    collector.heading(1, name);
    for (const rows of tablesOf(readSheet(partOf(zip, relation.target), workbook, budget))) addTable(collector, rows);
  }
  return { title: titleIn(zip), blocks: collector.blocks };
}

type Sheet = { name: string; id: string };

function sheetsOf(part: Uint8Array): { sheets: Sheet[]; from1904: boolean } {
  const sheets: Sheet[] = [];
  let from1904 = false;
  readXml(part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = !isOff(attribute(attributes, 'date1904') ?? '0');
      if (name !== 'sheet' || /hidden/i.test(attribute(attributes, 'state') ?? '')) return;
      sheets.push({ name: attribute(attributes, 'name') ?? '', id: relationId(attributes) ?? '' });
    },
  });
  return { sheets, from1904 };
}

function* tablesOf(rows: readonly SheetRow[]): Generator<SheetRow[]> {
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

/** Cells beside which a sheet is mostly empty are not laid out in columns: that would take memory for what is not there. */
const maxLaidOut = 2_000_000;

/** A first row with one cell, above rows with more, is the table's title. */
function addTable(collector: Collector, rows: readonly SheetRow[]): void {
  const start = rows.findIndex((row) => row.size > 1);
  for (const row of rows.slice(0, start === -1 ? undefined : start)) collector.paragraph([...row.values()].join(' '));
  if (start === -1) return;
  const body = rows.slice(start);
  const columns = [...new Set(body.flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b);
  const sparse = columns.length * body.length > maxLaidOut;
  collector.table(body.map((row) => (sparse ? [...row.values()] : columns.map((column) => row.get(column) ?? ''))));
}
