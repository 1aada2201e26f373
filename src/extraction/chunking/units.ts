import { shortened } from '../../base/shorten.ts';
import type { Block } from '../model.ts';
import { type Cut, linesOf, sentencesOf } from './split.ts';
import { fits, type Size, sizeOf } from './tokens.ts';

/** A sentence, a line or a row: what a chunk has or has not, but never half of. */
export type Piece = Cut & { size: Size };

/** A block (or a row of a very wide table) as the chunker packs it. */
export type Part = {
  pieces: Piece[];
  /** What every chunk that has one of its pieces repeats before them: a table's header row. */
  lead: Pick<Piece, 'text' | 'size'> | null;
  /** It is not divided as long as a chunk of its own can hold it. */
  whole: boolean;
  page: number | null;
};

const piece = (cut: Cut): Piece => ({ ...cut, size: sizeOf(cut.text) });

/** A header row that takes more of a chunk than this is not repeated: each cell carries its column's name instead. */
const leadShare = 0.3;
/** In characters, of a column's name that is written before each of its cells. */
const maxNameChars = 60;

type Content = Exclude<Block, { kind: 'heading' }>;

/** The parts of a block, whose pieces are all within `limit`, together with their lead. */
export function partsOf(block: Content, limit: Size): Part[] {
  switch (block.kind) {
    case 'table':
      return tableParts(block.rows, block.page, limit);
    case 'paragraph': {
      const pieces = [...sentencesOf(block.text, limit)].map(piece);
      return [{ pieces, lead: null, whole: false, page: block.page }];
    }
    case 'list':
    case 'code':
      return [lines(block.text, block.page, limit)];
  }
}

const lines = (text: string, page: number | null, limit: Size): Part => ({
  pieces: [...linesOf(text, limit)].map(piece),
  lead: null,
  whole: true,
  page,
});

/** A row as one line. */
const rowText = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/\s+/g, ' ')).join(' | ');

function tableParts(rows: readonly string[][], page: number | null, limit: Size): Part[] {
  const [names, ...data] = rows;
  if (!names) return [];
  const text = rowText(names);
  if (data.length === 0) return [lines(text, page, limit)];
  const header = { text, size: sizeOf(text) };
  const allowed = { tokens: limit.tokens * leadShare, chars: limit.chars * leadShare };
  if (!fits(header.size, allowed)) return recordParts(names, data, page, limit);
  const left = { tokens: limit.tokens - header.size.tokens - 1, chars: limit.chars - header.size.chars - 1 };
  const pieces = data.flatMap((cells) => [...linesOf(rowText(cells), left)].map(piece));
  return [{ pieces, lead: header, whole: true, page }];
}

/** Of a table with many columns: the names, then each row as lines like "Price: 12". */
function recordParts(names: readonly string[], data: readonly string[][], page: number | null, limit: Size): Part[] {
  const short = names.map((name) => shortened(name.replace(/\s+/g, ' '), maxNameChars));
  const record = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (cell === '' ? '' : `${short[column] ?? ''}: ${cell.replace(/\s+/g, ' ')}`))
      .filter((line) => line !== '')
      .join('\n');
  return [rowText(names), ...data.map(record)].map((text) => lines(text, page, limit));
}
