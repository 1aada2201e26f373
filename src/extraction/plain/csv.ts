import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { csvDialect } from '../../base/csv-dialect.ts';
import { createBudget, createCollector, type Limits } from '../blocks/block-collector.ts';
import type { Block } from '../model.ts';

const separators = [',', ';', '\t', '|'];
/** What is looked at to find the separator. */
const headChars = 32_768;

/** One table. A quote that is never closed is taken for a character like any other. */
export function parseCsv(text: string, limits: Limits): Block[] {
  const collector = createCollector(createBudget(limits));
  collector.table(rowsOf(text, separatorOf(text)));
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

/** Whichever makes the most cells of the first lines without making more of one than of another. */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, headChars)
    .replace(/"(?:[^"]|"")*"/g, 'q')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const cells = (separator: string): number => Math.min(...lines.map((line) => line.split(separator).length));
  return separators.toSorted((a, b) => cells(b) - cells(a))[0]!;
}
