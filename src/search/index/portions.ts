import { deserialize, serialize } from 'node:v8';
import { type Chunk, type Passage, passagesOf, wordsIn } from './passage.ts';

/**
 * Passages that one transaction writes, packed, so that handing them from thread to thread copies nothing and only those that are
 * being written are unpacked.
 */
export type Portion = Uint8Array<ArrayBuffer>;

/**
 * What a portion may cost, in words to be indexed: some five passages, which take about half a millisecond. One passage is a portion
 * however many it has.
 */
const mostCost = 1500;
/** A passage itself, however short it is. */
const costOfPassage = 100;
/** A word that the base may not have, beside one of which only the place is noted. */
const costOfFresh = 10;

const costOf = ({ all, fresh }: Passage): number =>
  costOfPassage + wordsIn(all).length + costOfFresh * wordsIn(fresh).length;

/** The passages of a document's chunks. This is where indexing takes its time: reading threads do it. */
export function* portionsOf(chunks: Iterable<Chunk>): Generator<Portion> {
  let portion: Passage[] = [];
  let cost = 0;
  for (const passage of passagesOf(chunks)) {
    const more = costOf(passage);
    if (portion.length > 0 && cost + more > mostCost) {
      yield packed(portion);
      portion = [];
      cost = 0;
    }
    portion.push(passage);
    cost += more;
  }
  if (portion.length > 0) yield packed(portion);
}

const packed = (passages: readonly Passage[]): Portion => new Uint8Array(serialize(passages));

export const passagesIn = (portion: Portion): Passage[] => deserialize(portion) as Passage[];
