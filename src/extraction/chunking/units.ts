import { shortened } from '../../base/shorten.ts';
import type { Block } from '../model.ts';
import { splitLines, splitSentences, type TextSpan } from './split.ts';
import { fits, type Size, sizeOf } from './tokens.ts';

/** The smallest unit of chunking: a sentence, line or table row, never divided between chunks. */
export type Unit = TextSpan & { size: Size };

/** The units of a block (or of one row of a very wide table), which the chunker packs in order. */
export type UnitGroup = {
  units: Unit[];
  /** Repeated at the start of every chunk that has units of the group: a table's header row. */
  header: Pick<Unit, 'text' | 'size'> | null;
  /** Whether to start a new chunk rather than divide the group, if it fits into one. */
  keepTogether: boolean;
  page: number | null;
};

const unitOf = (span: TextSpan): Unit => ({ ...span, size: sizeOf(span.text) });

/** A header row above this share of a chunk is not repeated; each cell is prefixed with its column's name instead. */
const maxHeaderShare = 0.3;
/** Column names longer than this are shortened before they prefix cells. */
const maxColumnNameChars = 60;

type Content = Exclude<Block, { kind: 'heading' }>;

/** Divides a block into groups of units. Each unit fits into `limit` together with its group's header. */
export function groupsOf(block: Content, limit: Size): UnitGroup[] {
  switch (block.kind) {
    case 'table':
      return tableGroups(block.rows, block.page, limit);
    case 'paragraph': {
      const units = [...splitSentences(block.text, limit)].map(unitOf);
      return [{ units, header: null, keepTogether: false, page: block.page }];
    }
    case 'list':
    case 'code':
      return [linesGroup(block.text, block.page, limit)];
  }
}

const linesGroup = (text: string, page: number | null, limit: Size): UnitGroup => ({
  units: [...splitLines(text, limit)].map(unitOf),
  header: null,
  keepTogether: true,
  page,
});

const rowText = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/\s+/g, ' ')).join(' | ');

function tableGroups(rows: readonly string[][], page: number | null, limit: Size): UnitGroup[] {
  const [names, ...data] = rows;
  if (!names) return [];
  const text = rowText(names);
  if (data.length === 0) return [linesGroup(text, page, limit)];
  const header = { text, size: sizeOf(text) };
  const maxHeader = { tokens: limit.tokens * maxHeaderShare, chars: limit.chars * maxHeaderShare };
  if (!fits(header.size, maxHeader)) return recordGroups(names, data, page, limit);
  const left = { tokens: limit.tokens - header.size.tokens - 1, chars: limit.chars - header.size.chars - 1 };
  const units = data.flatMap((cells) => [...splitLines(rowText(cells), left)].map(unitOf));
  return [{ units, header, keepTogether: true, page }];
}

/** For a table with many columns: one group with all column names, then one per row with lines such as "Price: 12". */
function recordGroups(
  names: readonly string[],
  data: readonly string[][],
  page: number | null,
  limit: Size,
): UnitGroup[] {
  const short = names.map((name) => shortened(name.replace(/\s+/g, ' '), maxColumnNameChars));
  const record = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (cell === '' ? '' : `${short[column] ?? ''}: ${cell.replace(/\s+/g, ' ')}`))
      .filter((line) => line !== '')
      .join('\n');
  return [rowText(names), ...data.map(record)].map((text) => linesGroup(text, page, limit));
}
