/** Options for csv-parse: RFC 4180 plus what programs write in practice, such as any line ending, a byte order mark and stray quotes. */
export const csvDialect = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};
