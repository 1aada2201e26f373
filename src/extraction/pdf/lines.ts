/** A run of text from pdf.js. `transform` is its text matrix, in points from the lower left corner of the page. */
export type TextItem = { str: string; transform: readonly number[]; width: number; hasEOL: boolean };

/** Part of a line, separated from the next by a gap wider than that between words: in a table, a cell. */
export type Cell = { text: string; start: number; end: number };
export type Line = { cells: Cell[]; y: number; size: number; page: number };

/*
 * All three in font sizes, because gaps scale with the text. A word space is about 0.25 wide; kerning moves letters by
 * less than 0.1. Superscripts are raised by about a third; the next line is at least 1 below.
 */
/** A wider gap between two runs is a space. */
const minWordGap = 0.15;
/** A wider gap separates two cells. */
const minCellGap = 1;
/** Runs whose baselines are closer than this are on the same line. */
const maxBaselineShift = 0.5;

export const lineText = (line: Line): string => line.cells.map(({ text }) => text).join(' ');

/** Assembles the lines of a page in drawing order, which is the reading order in nearly all files. */
export function assembleLines(items: readonly TextItem[], page: number): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str, transform, width, hasEOL } of items) {
    const [, , c = 0, d = 0, start = 0, y = 0] = transform;
    const size = Math.hypot(c, d);
    if (str.trim() !== '') {
      const last = line?.cells.at(-1);
      const isSameLine =
        line && last && Math.abs(y - line.y) < maxBaselineShift * Math.max(size, line.size) && start > last.start;
      if (isSameLine) append(line!, last, { text: str, start, end: start + width }, size);
      else lines.push((line = { cells: [{ text: str, start, end: start + width }], y, size, page }));
      line!.size = Math.max(line!.size, size);
    }
    if (hasEOL) line = undefined;
  }
  for (const { cells } of lines) for (const cell of cells) cell.text = collapseLeaders(cell.text);
  return lines;
}

function append(line: Line, last: Cell, cell: Cell, size: number): void {
  const gap = cell.start - last.end;
  if (gap > minCellGap * size) line.cells.push(cell);
  else {
    const needsSpace = gap > minWordGap * size && !/\s$/.test(last.text) && !/^\s/.test(cell.text);
    last.text += (needsSpace ? ' ' : '') + cell.text;
    last.end = Math.max(last.end, cell.end);
  }
}

/** Replaces dot leaders (the dots before a page number in a table of contents) by an ellipsis. */
const collapseLeaders = (text: string): string => text.replace(/(?:\s?[.·_]){5,}\s*/g, ' … ').trim();

/** Rounds to half points, which removes the inaccuracy of scaled pages. */
export const roundFontSize = (size: number): number => Math.round(size * 2) / 2;

/** The font size of the body text: the one that most characters have. */
export function bodyFontSize(lines: readonly Line[]): number {
  const chars = new Map<number, number>();
  for (const line of lines) {
    const size = roundFontSize(line.size);
    chars.set(size, (chars.get(size) ?? 0) + lineText(line).length);
  }
  return [...chars].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
