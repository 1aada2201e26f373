import { ExtractionError } from '../errors.ts';
import type { Block } from '../model.ts';

/** What one document may have. */
export type Limits = {
  /** Of text, in UTF-16 code units. */
  maxTextChars: number;
  /** Of a packed format's parts, unpacked. */
  maxUnpackedBytes: number;
};

/** Counts what is kept of a document, and stops where it is more than a document may have. */
export type Budget = { take(chars: number): void };

/** Each block and each cell costs memory beyond its text. */
const overheadChars = 4;

export function createBudget({ maxTextChars }: Limits): Budget {
  let left = maxTextChars;
  return {
    take(chars) {
      left -= chars + overheadChars;
      if (left >= 0) return;
      throw new ExtractionError(
        `The document has more than ${maxTextChars.toLocaleString('en')} characters of text; divide it into several.`,
      );
    },
  };
}

/** Characters that say nothing: controls, byte order marks, zero-width ones without a use in words, soft hyphens. */
const silent = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u200B\u2060\uFEFF\uFFFE\uFFFF]`,
  'g',
);

/** One line of text: white space collapsed, silent characters and halves of characters removed, composed (NFC). */
export const lineOf = (text: string): string => tidy(text).replace(/\s+/g, ' ').trim();

/** Text whose lines and indentation count. */
const linesOf = (text: string): string =>
  tidy(text.replace(/\r\n?/g, '\n'))
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');

const tidy = (text: string): string => text.replace(silent, '').toWellFormed().normalize('NFC');

/** What parsers add their blocks to: texts are tidied, blocks without text left out. */
export type Collector = {
  heading(level: number, text: string, page?: number): void;
  paragraph(text: string, page?: number): void;
  /** Each item with its own mark. */
  list(items: readonly string[], page?: number): void;
  code(text: string, page?: number): void;
  /** Rows and columns without text are left out. */
  table(rows: readonly (readonly string[])[], page?: number): void;
  blocks: Block[];
};

/** Documents have six levels of headings at most, in HTML as in Markdown; word processors' further ones count as the sixth. */
const maxLevel = 6;

export function createCollector(budget: Budget): Collector {
  const blocks: Block[] = [];
  const add = (block: Exclude<Block, { kind: 'table' }>): void => {
    if (block.text === '') return;
    budget.take(block.text.length);
    blocks.push(block);
  };
  return {
    blocks,
    heading: (level, text, page) =>
      add({ kind: 'heading', level: Math.min(Math.max(level, 1), maxLevel), text: lineOf(text), page: page ?? null }),
    paragraph: (text, page) => add({ kind: 'paragraph', text: lineOf(text), page: page ?? null }),
    list(items, page) {
      const lines = items.map((item) => /^ */.exec(item)![0] + lineOf(item)).filter((line) => line.trim() !== '');
      const text = lines.join('\n');
      if (lines.length > 1) add({ kind: 'list', text, page: page ?? null });
      else add({ kind: 'paragraph', text: text.trim(), page: page ?? null });
    },
    code: (text, page) => add({ kind: 'code', text: linesOf(text), page: page ?? null }),
    table(rows, page) {
      const kept = withoutEmpty(rows.map((row) => row.map(lineOf)));
      for (const cell of kept.flat()) budget.take(cell.length);
      if (kept.length > 0) blocks.push({ kind: 'table', rows: kept, page: page ?? null });
    },
  };
}

function withoutEmpty(rows: readonly string[][]): string[][] {
  const full = rows.filter((row) => row.some((cell) => cell !== ''));
  const used = new Set(full.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))));
  return full.map((row) => row.filter((_, column) => used.has(column)));
}

/** All text of a document, for people to read and to be shown again. */
export const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => (block.kind === 'table' ? block.rows.map((row) => row.join(' | ')).join('\n') : block.text))
    .join('\n\n');
