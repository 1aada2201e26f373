/** The rows of a table under construction, with column and row spans expanded into separate cells. */
export type TableGrid = {
  openRow(): void;
  addCell(text: string, columns: number, rows: number): void;
  rows: string[][];
};

/** HTML allows spans of 1,000 columns and 65,534 rows, which would let a small page fill the memory. */
const maxSpan = 100;
/**
 * A cell spanning several rows repeats its text in each if it is short enough to be a label; longer text appears once.
 */
const maxRepeatedCellChars = 200;

export function createTableGrid(): TableGrid {
  const rows: string[][] = [];
  /** Cells that span into the rows to come, by column. */
  const rowSpans = new Map<number, { text: string; rowsLeft: number }>();
  let row: string[] | undefined;
  const open = (): string[] => {
    row = [];
    rows.push(row);
    return row;
  };
  const fillFromAbove = (current: string[]): void => {
    for (;;) {
      const above = rowSpans.get(current.length);
      if (!above) return;
      if (above.rowsLeft === 1) rowSpans.delete(current.length);
      else above.rowsLeft -= 1;
      current.push(above.text);
    }
  };
  return {
    rows,
    openRow: () => void open(),
    addCell(text, columns, rowCount) {
      const current = row ?? open();
      fillFromAbove(current);
      const rowsLeft = clampSpan(rowCount) - 1;
      for (let column = 0; column < clampSpan(columns); column += 1) {
        if (rowsLeft > 0) {
          rowSpans.set(current.length, { text: text.length <= maxRepeatedCellChars ? text : '', rowsLeft });
        }
        current.push(column === 0 ? text : '');
      }
    },
  };
}

const clampSpan = (span: number): number =>
  Number.isFinite(span) ? Math.min(Math.max(Math.trunc(span), 1), maxSpan) : 1;
