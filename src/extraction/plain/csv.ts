import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { csvDialect } from '../../base/csv-dialect.ts';
import { createBlockCollector } from '../blocks/block-collector.ts';
import { createTextBudget, type ExtractionLimits } from '../limits.ts';
import type { Block } from '../model.ts';

const separators = [',', ';', '\t', '|'];
/** How much of the file is examined to detect the separator. */
const headChars = 32_768;
const maxComparedLines = 20;

/** Parses CSV into one table. If a quote is never closed, quotes are read as ordinary characters. */
export function parseCsv(text: string, limits: ExtractionLimits): Block[] {
  const collector = createBlockCollector(createTextBudget(limits));
  collector.table(rowsOf(text, detectSeparator(text)));
  return collector.blocks;
}

function rowsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { ...csvDialect, delimiter });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return parse(text, { ...csvDialect, delimiter, quote: null });
  }
}

/** The separator that yields the most cells in the first lines, decided by the line with the fewest. */
function detectSeparator(text: string): string {
  const lines = text
    .slice(0, headChars)
    .replace(/"(?:[^"]|"")*"/g, 'q')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, maxComparedLines);
  const minCells = (separator: string): number => Math.min(...lines.map((line) => line.split(separator).length));
  return separators.toSorted((a, b) => minCells(b) - minCells(a))[0]!;
}
