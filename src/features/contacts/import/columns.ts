import { type AppError, type Fault, invalid, invalidAt } from '../../../base/errors.ts';
import { maxColumns } from './table.ts';
import { isBareName, normalizeName, type Recognized, recognize, type TextField, textFields } from './column-names.ts';

/** Where the cells of a column go. */
export type Target =
  | { to: 'field'; field: TextField }
  /** The cell is a JSON object that becomes the metadata. */
  | { to: 'metadata' }
  /** The cell is the value of one metadata key. */
  | { to: 'key'; key: string }
  | { to: 'tags' }
  /** The column is left out: by the mapping, or because the system sets this field itself. */
  | { to: 'nothing' }
  /** A column without a name, as spreadsheets leave at the end of a header. */
  | { to: 'unnamed' };

export type Column = { name: string; target: Target };

/** Where a column of the file goes, as the wire names it. */
export type ColumnReport = { name: string; to: string | null };

/** The caller's choice by column name: a field, `tags`, `metadata`, `metadata.<key>`, or null to leave the column out. */
export type Mapping = Readonly<Record<string, string | null>>;

export type HeaderOptions = {
  mapping: Mapping;
  /** Whether rows have tags. Without them a column of tags goes to the metadata. */
  takesTags: boolean;
};

/** Columns of an exported file that an import leaves out, because the system sets them. */
const exportOnlyColumns = ['id', 'created_at', 'updated_at'];

const isField = (name: string): name is TextField => (textFields as readonly string[]).includes(name);

/** Reads a target as the wire names it; undefined if there is none of that name. */
function parseTarget(text: string | null, takesTags: boolean): Target | undefined {
  if (text === null) return { to: 'nothing' };
  if (isField(text)) return { to: 'field', field: text };
  if (text === 'tags') return takesTags ? { to: 'tags' } : { to: 'key', key: 'tags' };
  if (text === 'metadata') return { to: 'metadata' };
  const key = /^metadata\.(.+)$/s.exec(text)?.[1];
  return key === undefined ? undefined : { to: 'key', key };
}

/** A target as the wire names it: null for a column that is left out. */
export function targetName(target: Target): string | null {
  if (target.to === 'field') return target.field;
  if (target.to === 'key') return `metadata.${target.key}`;
  return target.to === 'metadata' || target.to === 'tags' ? target.to : null;
}

/** How many columns of a header are recognized or mapped. */
export const countKnownColumns = (names: readonly string[], mapping: Mapping): number =>
  names.filter((name) => Object.hasOwn(mapping, name.trim()) || recognize(name) !== undefined).length;

/**
 * Reads a header. The mapping decides first, then common names of fields; of several columns that could be the same field, the one with the
 * most common name is chosen. Any other column becomes a metadata key, spelled as in the file. `id`, `created_at` and `updated_at` are left
 * out if all three are present, since the file is then an export; otherwise they are metadata, too.
 * @throws invalid for a header that names no contact field, too many columns, or one column twice, and for a mapping that does not fit it
 */
export function columnsOf(header: readonly string[], { mapping, takesTags }: HeaderOptions): Column[] {
  if (header.length > maxColumns) throw invalidAt('', tooManyColumns(header.length));
  const names = header.map((name) => name.trim());
  const mapped = targetsOf(names, mapping, takesTags);
  const recognized = recognizedColumns(names, mapping, takesTags);
  const isExport = exportOnlyColumns.every((name) => names.includes(name));
  const columns = names.map((name, index): Column => {
    const target = mapped.get(name) ?? (isExport && exportOnlyColumns.includes(name) ? nothing : recognized.get(index));
    return { name, target: target ?? otherwise(name) };
  });
  refuseUselessHeader(columns, mapped.size > 0);
  refuseRepetition(columns, mapped);
  return columns;
}

const nothing: Target = { to: 'nothing' };

const tooManyColumns = (count: number): string =>
  `The header has ${count} columns, and an import takes at most ${maxColumns}. Delete columns that contacts do not need; ` +
  'in a spreadsheet, look for a cell far to the right.';

function otherwise(name: string): Target {
  if (name === '') return { to: 'unnamed' };
  return normalizeName(name) === 'metadata' ? { to: 'metadata' } : { to: 'key', key: name };
}

/** @throws invalid for columns that the file does not have, and for unknown targets */
function targetsOf(names: readonly string[], mapping: Mapping, takesTags: boolean): Map<string, Target> {
  const targets = new Map<string, Target>();
  const faults: Fault[] = [];
  for (const [column, text] of Object.entries(mapping)) {
    const target = parseTarget(text, takesTags);
    const name = column.trim();
    if (!names.includes(name)) faults.push({ path: `mapping.${column}`, message: 'is not a column of the file' });
    else if (target) targets.set(name, target);
    else faults.push({ path: `mapping.${column}`, message: `must be null or one of ${targetNames}` });
  }
  if (faults.length > 0) throw invalid(faults);
  return targets;
}

const targetNames = [...textFields, 'tags', 'metadata', 'metadata.<key>'].join(', ');

/** The targets, by column index, of columns whose names are recognized and that the mapping leaves open. */
function recognizedColumns(names: readonly string[], mapping: Mapping, takesTags: boolean): Map<number, Target> {
  const taken = new Set<string>(Object.values(mapping).filter((target) => target !== null));
  const candidates = names.flatMap((name, index) => {
    const recognition = Object.hasOwn(mapping, name) ? undefined : recognize(name);
    return recognition ? [{ index, ...recognition }] : [];
  });
  const found = new Map<number, Target>();
  const best = (as: Recognized) => candidates.filter((each) => each.as === as).toSorted((a, b) => a.rank - b.rank);
  for (const field of textFields) {
    const [first] = taken.has(field) ? [] : best(field);
    // Every column named exactly like the field is that field, so that a repeated one is reported.
    const fields = first?.rank === 0 ? best(field).filter(({ rank }) => rank === 0) : first ? [first] : [];
    for (const { index } of fields) found.set(index, { to: 'field', field });
  }
  const [tags] = takesTags && !taken.has('tags') ? best('tags') : [];
  if (tags) found.set(tags.index, { to: 'tags' });
  addBareName(names, mapping, found);
  return found;
}

function addBareName(names: readonly string[], mapping: Mapping, found: Map<number, Target>): void {
  const has = (field: TextField): boolean =>
    Object.values(mapping).includes(field) ||
    [...found.values()].some((target) => target.to === 'field' && target.field === field);
  const index = names.findIndex((name) => isBareName(name) && !Object.hasOwn(mapping, name));
  if (index !== -1 && has('first_name') && !has('last_name')) found.set(index, { to: 'field', field: 'last_name' });
}

function refuseUselessHeader(columns: readonly Column[], isMapped: boolean): void {
  if (isMapped || columns.some(({ target }) => target.to === 'field')) return;
  throw invalidAt(
    '',
    `The first row names no field of a contact. It must be a header with at least one of ${textFields.join(', ')}; ` +
      'give `mapping` where the columns have other names.',
  );
}

function refuseRepetition(columns: readonly Column[], mapped: ReadonlyMap<string, Target>): void {
  const seen = new Map<string, string>();
  for (const [index, { name, target }] of columns.entries()) {
    if (target.to === 'unnamed' || target.to === 'nothing') continue;
    const identity = JSON.stringify(target);
    const earlier = seen.get(identity);
    if (earlier !== undefined) throw repetition(name, index, earlier, mapped);
    seen.set(identity, name);
  }
}

/** The fault is the mapping's if the two columns have different names. */
function repetition(name: string, index: number, earlier: string, mapped: ReadonlyMap<string, Target>): AppError {
  const column = earlier === name ? undefined : [name, earlier].find((each) => mapped.has(each));
  if (column === undefined) {
    return invalidAt(
      '',
      `The header names "${name}" again in column ${index + 1}; each column needs a name of its own.`,
    );
  }
  const other = column === name ? earlier : name;
  return invalidAt(`mapping.${column}`, `leads to the same field as the column "${other}"; map one of them to null`);
}
