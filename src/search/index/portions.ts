import { deserialize, serialize } from 'node:v8';
import { type Chunk, type Passage, passagesOf, splitTerms } from './passage.ts';

/**
 * Some passages of a document, serialized. A transaction writes one portion of a long document, or all portions of a short one, and
 * only those are deserialized for it. The reading thread hands the bytes over without copying them.
 */
export type Portion = Uint8Array<ArrayBuffer>;

/** Highest cost of a portion, in words to index: about five passages, which take half a millisecond. A single passage may cost more. */
const maxCost = 1500;
const passageCost = 100;
/** A new word may have to be added to the vocabulary; for a known one only the posting is written. */
const newWordCost = 10;

const costOf = ({ terms, newWords }: Passage): number =>
  passageCost +
  terms.reduce((sum, list) => sum + splitTerms(list).length, 0) +
  newWordCost * splitTerms(newWords).length;

/**
 * Analyzes the chunks of a document and packs the passages into portions. Runs on reading threads, because analysis takes most of the
 * time of indexing.
 */
export function* portionsOf(chunks: Iterable<Chunk>): Generator<Portion> {
  let passages: Passage[] = [];
  let totalCost = 0;
  for (const passage of passagesOf(chunks)) {
    const cost = costOf(passage);
    if (passages.length > 0 && totalCost + cost > maxCost) {
      yield pack(passages);
      passages = [];
      totalCost = 0;
    }
    passages.push(passage);
    totalCost += cost;
  }
  if (passages.length > 0) yield pack(passages);
}

const pack = (passages: readonly Passage[]): Portion => new Uint8Array(serialize(passages));

export const passagesIn = (portion: Portion): Passage[] => deserialize(portion) as Passage[];
