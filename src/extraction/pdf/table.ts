import type { Cell, Line } from './lines.ts';

/** A table has at least as many rows. */
const minRows = 3;
/** Columns of prose have longer cells. */
const maxMeanChars = 60;
/** Rows of one table are no farther apart than this, in font sizes. */
const maxRowGap = 3.5;

/**
 * The table that begins at a line, if one does: rows of several cells, which stand under each other.
 * @returns its rows and how many lines they take
 */
export function tableAt(lines: readonly Line[], start: number): { rows: string[][]; length: number } | undefined {
  let end = start;
  while (end < lines.length && belongs(lines[end]!, lines[end - 1], end === start)) end += 1;
  while (end > start && lines[end - 1]!.cells.length === 1) end -= 1;
  const members = lines.slice(start, end);
  const full = members.filter(({ cells }) => cells.length > 1);
  if (full.length < minRows) return undefined;
  const all = full.flatMap(({ cells }) => cells);
  const chars = all.reduce((sum, { text }) => sum + text.length, 0);
  const columns = columnsOf(all);
  if (columns.length < 2 || chars / all.length > maxMeanChars) return undefined;
  return { rows: rowsOf(members, columns), length: members.length };
}

function belongs(line: Line, previous: Line | undefined, first: boolean): boolean {
  if (first) return line.cells.length > 1;
  const near = previous !== undefined && line.page === previous.page && previous.y - line.y < maxRowGap * line.size;
  if (!near || line.y > previous.y) return false;
  // A cell that goes on in a second line, but in the first column, where prose would begin again.
  return line.cells.length > 1 || line.cells[0]!.start > previous.cells[0]!.end;
}

type Column = { start: number; end: number };

/** Where cells stand under each other. */
function columnsOf(cells: readonly Cell[]): Column[] {
  const columns: Column[] = [];
  for (const { start, end } of cells.toSorted((a, b) => a.start - b.start)) {
    const last = columns.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else columns.push({ start, end });
  }
  return columns;
}

function rowsOf(lines: readonly Line[], columns: readonly Column[]): string[][] {
  const rows: string[][] = [];
  for (const { cells } of lines) {
    const above = rows.at(-1);
    const row = cells.length === 1 && above ? above : columns.map(() => '');
    for (const { text, start } of cells) {
      const column = Math.max(
        0,
        columns.findLastIndex((each) => each.start <= start),
      );
      row[column] = row[column] ? `${row[column]} ${text}` : text;
    }
    if (row !== above) rows.push(row);
  }
  return rows;
}
