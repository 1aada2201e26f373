/** What pdf.js tells of a piece of text: `transform` is its text matrix, in points from the lower left corner. */
export type TextItem = { str: string; transform: readonly number[]; width: number; hasEOL: boolean };

/** What stands together in a line; between two cells is more room than between words. */
export type Cell = { text: string; start: number; end: number };
export type Line = { cells: Cell[]; y: number; size: number; page: number };

/** In parts of the font size. */
const wordGap = 0.15;
const cellGap = 1;
const sameLine = 0.5;

export const textOfLine = (line: Line): string => line.cells.map(({ text }) => text).join(' ');

/** Lines of a page, in the order in which the file draws them, which is the reading order in all but odd files. */
export function linesOfPage(items: readonly TextItem[], page: number): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str, transform, width, hasEOL } of items) {
    const [, , c = 0, d = 0, start = 0, y = 0] = transform;
    const size = Math.hypot(c, d);
    if (str.trim() !== '') {
      const last = line?.cells.at(-1);
      const goesOn = line && last && Math.abs(y - line.y) < sameLine * Math.max(size, line.size) && start > last.start;
      if (goesOn) append(line!, last, { text: str, start, end: start + width }, size);
      else lines.push((line = { cells: [{ text: str, start, end: start + width }], y, size, page }));
      line!.size = Math.max(line!.size, size);
    }
    if (hasEOL) line = undefined;
  }
  for (const { cells } of lines) for (const cell of cells) cell.text = withoutLeaders(cell.text);
  return lines;
}

function append(line: Line, last: Cell, cell: Cell, size: number): void {
  const gap = cell.start - last.end;
  if (gap > cellGap * size) line.cells.push(cell);
  else {
    const spaced = gap > wordGap * size && !/\s$/.test(last.text) && !/^\s/.test(cell.text);
    last.text += (spaced ? ' ' : '') + cell.text;
    last.end = Math.max(last.end, cell.end);
  }
}

/** Dots that lead the eye to a page number. */
const withoutLeaders = (text: string): string => text.replace(/(?:\s?[.·_]){5,}\s*/g, ' … ').trim();

/** Font sizes as people choose them, without what scaling made of them. */
export const roundedSize = (size: number): number => Math.round(size * 2) / 2;

/** The size that most characters have. */
export function bodySizeOf(lines: readonly Line[]): number {
  const chars = new Map<number, number>();
  for (const line of lines) {
    const size = roundedSize(line.size);
    chars.set(size, (chars.get(size) ?? 0) + textOfLine(line).length);
  }
  return [...chars].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
