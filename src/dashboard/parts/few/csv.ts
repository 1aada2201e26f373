const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Rows as CSV. The byte order mark makes spreadsheets read it as UTF-8. */
export const csvOf = (rows: ReadonlyArray<readonly string[]>): string =>
  `\uFEFF${rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`;
