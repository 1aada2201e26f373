import { parse as parseCsv } from 'csv-parse/sync';
import { parseHtml } from '../../src/extraction/html/parse.ts';
import type { Block } from '../../src/extraction/model.ts';

const limits = { maxTextChars: 1_000_000, maxUnpackedBytes: 0 };

/** Parses a document of a question set. Handles only the Markdown that the sets use, so that the bench measures search alone. */
export function blocksOf(name: string, text: string): Block[] {
  if (name.endsWith('.csv')) return [{ kind: 'table', rows: parseCsv(text), page: null }];
  if (name.endsWith('.html')) return parseHtml(text, limits).blocks;
  return text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(blockOf);
}

function blockOf(part: string): Block {
  const heading = /^(#+) (.+)$/.exec(part);
  if (heading) return { kind: 'heading', level: heading[1]!.length, text: heading[2]!, page: null };
  if (part.startsWith('|')) return { kind: 'table', rows: rowsOf(part), page: null };
  if (part.startsWith('```')) return { kind: 'code', text: part.replaceAll(/^```\n?|\n?```$/g, ''), page: null };
  const isList = /^(?:- |1\. )/.test(part);
  return { kind: isList ? 'list' : 'paragraph', text: part.replaceAll('**', ''), page: null };
}

const rowsOf = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .replaceAll(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    );
