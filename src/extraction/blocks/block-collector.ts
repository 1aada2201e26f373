import type { TextBudget } from '../limits.ts';
import type { Block } from '../model.ts';
import { normalizeLine, normalizeLines } from './normalize.ts';

/** Collects the blocks that a parser produces: normalizes their text and drops those without any. */
export type BlockCollector = {
  heading(level: number, text: string, page?: number): void;
  paragraph(text: string, page?: number): void;
  /** Each item brings its own bullet or number. */
  list(items: readonly string[], page?: number): void;
  code(text: string, page?: number): void;
  /** Drops rows and columns without text. */
  table(rows: readonly (readonly string[])[], page?: number): void;
  blocks: Block[];
};

/** HTML and Markdown have six heading levels; deeper ones of word processors count as the sixth. */
const maxHeadingLevel = 6;

export function createBlockCollector(budget: TextBudget): BlockCollector {
  const blocks: Block[] = [];
  const add = (block: Exclude<Block, { kind: 'table' }>): void => {
    if (block.text === '') return;
    budget.spend(block.text.length);
    blocks.push(block);
  };
  return {
    blocks,
    heading: (level, text, page) =>
      add({
        kind: 'heading',
        level: Math.min(Math.max(level, 1), maxHeadingLevel),
        text: normalizeLine(text),
        page: page ?? null,
      }),
    paragraph: (text, page) => add({ kind: 'paragraph', text: normalizeLine(text), page: page ?? null }),
    list(items, page) {
      const lines = items
        .map((item) => /^ */.exec(item)![0] + normalizeLine(item))
        .filter((line) => line.trim() !== '');
      const text = lines.join('\n');
      if (lines.length > 1) add({ kind: 'list', text, page: page ?? null });
      else add({ kind: 'paragraph', text: text.trim(), page: page ?? null });
    },
    code: (text, page) => add({ kind: 'code', text: normalizeLines(text), page: page ?? null }),
    table(rows, page) {
      const kept = withoutEmptyRowsAndColumns(rows.map((row) => row.map(normalizeLine)));
      for (const cell of kept.flat()) budget.spend(cell.length);
      if (kept.length > 0) blocks.push({ kind: 'table', rows: kept, page: page ?? null });
    },
  };
}

function withoutEmptyRowsAndColumns(rows: readonly string[][]): string[][] {
  const full = rows.filter((row) => row.some((cell) => cell !== ''));
  const used = new Set(full.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))));
  return full.map((row) => row.filter((_, column) => used.has(column)));
}

/** The document's text as `GET /rag/document` shows it: blocks separated by blank lines, cells by vertical bars. */
export const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => (block.kind === 'table' ? block.rows.map((row) => row.join(' | ')).join('\n') : block.text))
    .join('\n\n');
