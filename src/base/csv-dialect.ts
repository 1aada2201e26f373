/** How csv-parse reads RFC 4180, and what programs make of it: any line end, a byte order mark, quotes within a cell that has none around it. */
export const csvDialect = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};
