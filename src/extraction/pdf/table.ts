import type { Cell, Line } from './lines.ts';

/** Fewer rows with several cells are not a table: two lines can be aligned by chance. */
const minRows = 3;
/** Longer cells, on average, are columns of prose. */
const maxMeanCellChars = 60;
/** Rows of one table are closer together than this many font sizes. */
const maxRowGap = 3.5;

/**
 * Reads the table that starts at a line, if there is one: consecutive lines of several cells that align in columns.
 * @returns its rows and the number of lines they take
 */
export function tableAt(lines: readonly Line[], start: number): { rows: string[][]; length: number } | undefined {
  let end = start;
  while (end < lines.length && belongsToTable(lines[end]!, lines[end - 1], end === start)) end += 1;
  while (end > start && lines[end - 1]!.cells.length === 1) end -= 1;
  const tableLines = lines.slice(start, end);
  const rowLines = tableLines.filter(({ cells }) => cells.length > 1);
  if (rowLines.length < minRows) return undefined;
  const cells = rowLines.flatMap((line) => line.cells);
  const chars = cells.reduce((sum, { text }) => sum + text.length, 0);
  const columns = columnsOf(cells);
  if (columns.length < 2 || chars / cells.length > maxMeanCellChars) return undefined;
  return { rows: rowsOf(tableLines, columns), length: tableLines.length };
}

function belongsToTable(line: Line, previous: Line | undefined, isFirst: boolean): boolean {
  if (isFirst) return line.cells.length > 1;
  const isNear = previous !== undefined && line.page === previous.page && previous.y - line.y < maxRowGap * line.size;
  if (!isNear || line.y > previous.y) return false;
  // A single cell continues the cell above it, unless it is in the first column, where the prose after the table
  // starts.
  return line.cells.length > 1 || line.cells[0]!.start > previous.cells[0]!.end;
}

type Column = { start: number; end: number };

/** Merges cells that overlap horizontally into columns. */
function columnsOf(cells: readonly Cell[]): Column[] {
  const columns: Column[] = [];
  for (const { start, end } of cells.toSorted((a, b) => a.start - b.start)) {
    const last = columns.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else columns.push({ start, end });
  }
  return columns;
}

/** Assigns cells to columns. A line with a single cell continues the row above. */
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
