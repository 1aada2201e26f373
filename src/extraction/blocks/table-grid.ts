/** The rows of a table as they are read, cells that reach over several columns or rows included. */
export type Grid = {
  openRow(): void;
  cell(text: string, columns: number, rows: number): void;
  rows: string[][];
};

/** HTML allows 1,000 columns and 65,534 rows; tables that people read have fewer. */
const maxSpan = 100;
/** What stands for several rows is repeated in each, as long as it is a label. */
const maxRepeatedChars = 200;

export function createGrid(): Grid {
  const rows: string[][] = [];
  /** By column: what reaches into further rows. */
  const hanging = new Map<number, { text: string; left: number }>();
  let row: string[] | undefined;
  const open = (): string[] => {
    row = [];
    rows.push(row);
    return row;
  };
  const fillHanging = (current: string[]): void => {
    for (;;) {
      const above = hanging.get(current.length);
      if (!above) return;
      if (above.left === 1) hanging.delete(current.length);
      else above.left -= 1;
      current.push(above.text);
    }
  };
  return {
    rows,
    openRow: () => void open(),
    cell(text, columns, rowCount) {
      const current = row ?? open();
      fillHanging(current);
      const left = clamp(rowCount) - 1;
      for (let column = 0; column < clamp(columns); column += 1) {
        if (left > 0) hanging.set(current.length, { text: text.length <= maxRepeatedChars ? text : '', left });
        current.push(column === 0 ? text : '');
      }
    },
  };
}

const clamp = (span: number): number => (Number.isFinite(span) ? Math.min(Math.max(Math.trunc(span), 1), maxSpan) : 1);
