import type { Weighed } from '../recall/gather.ts';
import type { Candidate } from '../index/sqlite/passages.ts';

export type Ranked = {
  id: number;
  documentId: string;
  /** From 0 (nothing of what was asked for) to 1. */
  score: number;
  /** Passages with the same one say the same under the same title and headings. */
  hash: string;
  /** Its words, with blanks between them, to see which results say the same. */
  words: string;
};

/**
 * BM25F's parameters, chosen on bench/retrieval/tuning/questions.yaml: how fast more of the same word stops to count, how much length counts,
 * and what fields are worth.
 */
const k1 = 0.5;
const b = 0.3;
const titleWeight = 1.5;
const headingWeight = 1.5;
/** How much more it is worth that neighbours in the question are neighbours in the passage. */
const nearness = 0.25;
/** Letters between them: about five words. */
const nearWithin = 30;
/** How much of a score is the document's: what it is about often stands in other passages of it. */
const context = 0.25;

/** Of a candidate, how far it has each concept (0 to 1), and which of them stand together as in the question. */
type Match = { candidate: Candidate; has: number[]; near: number };

/**
 * BM25F of candidates, as a share of what a passage full of everything asked for would have: so it tells how much of the question is
 * covered, by how telling words, whatever is in other bases. One more rare word is taken to be asked for, which no passage has: to have
 * half of two words is less than to have half of ten. `rare` is what such a word weighs.
 */
export function rank(
  candidates: readonly Candidate[],
  concepts: readonly Weighed[],
  meanLength: number,
  rare: number,
): Ranked[] {
  const weights = weightsOf(concepts);
  const total = concepts.reduce((sum, { idf }) => sum + idf, 0);
  const worth = (has: readonly number[]): number =>
    has.reduce((sum, share, index) => sum + share * concepts[index]!.idf, 0);
  const matches = candidates.map((candidate) => matchOf(candidate, concepts, weights, meanLength));
  const documents = Map.groupBy(matches, ({ candidate }) => candidate.documentId);
  const aboutness = new Map(
    Array.from(documents, ([id, some]) => [
      id,
      worth(concepts.map((_, index) => Math.max(...some.map(({ has }) => has[index]!)))),
    ]),
  );
  return matches.map(({ candidate: { id, documentId, hash, words }, has, near }) => {
    const own = (worth(has) + nearness * near) / (1 + nearness);
    const score = ((1 - context) * own + context * aboutness.get(documentId)!) / (total + rare);
    return { id, documentId, score, hash, words };
  });
}

/** Where a word that counts stands in a passage, and for what. */
type Hit = { at: number; concept: number; weight: number };

function matchOf(candidate: Candidate, concepts: readonly Weighed[], weights: Weights, meanLength: number): Match {
  const norm = 1 - b + (b * candidate.length) / Math.max(1, meanLength);
  const text = candidate.words;
  const endOfTitle = text.indexOf('\n');
  const endOfHeading = text.indexOf('\n', endOfTitle + 1);
  const worthAt = (at: number): number =>
    at < endOfTitle ? titleWeight : at < endOfHeading ? headingWeight : 1 / norm;
  const has = concepts.map(() => 0);
  const hits: Hit[] = [];
  // Searching for the few words that count is ten times as fast as looking at every word of a passage.
  for (const [word, meanings] of weights) {
    let amount = 0;
    for (let at = text.indexOf(` ${word} `); at !== -1; at = text.indexOf(` ${word} `, at + word.length + 1)) {
      amount += worthAt(at);
      for (const { concept, weight } of meanings) hits.push({ at, concept, weight });
    }
    // However often another word stands there, it does not become the one that was asked for.
    const worth = amount / (k1 + amount);
    for (const { concept, weight } of meanings) has[concept] = Math.max(has[concept]!, weight * worth);
  }
  return { candidate, has, near: nearnessOf(hits, concepts) };
}

type Weights = ReadonlyMap<string, ReadonlyArray<{ concept: number; weight: number }>>;

/** By word, what concepts it stands for. */
function weightsOf(concepts: readonly Weighed[]): Weights {
  const weights = new Map<string, Array<{ concept: number; weight: number }>>();
  for (const [concept, { alternatives }] of concepts.entries()) {
    for (const { word, weight } of alternatives) {
      const known = weights.get(word);
      if (known) known.push({ concept, weight });
      else weights.set(word, [{ concept, weight }]);
    }
  }
  return weights;
}

/** The weight of all concepts that stand close after the one before them, as in the question. */
function nearnessOf(hits: readonly Hit[], concepts: readonly Weighed[]): number {
  const lastAt = concepts.map(() => Number.NEGATIVE_INFINITY);
  const closest = concepts.map(() => 0);
  for (const { at, concept, weight } of hits.toSorted((one, other) => one.at - other.at)) {
    if (concept > 0 && at - lastAt[concept - 1]! <= nearWithin) closest[concept] = Math.max(closest[concept]!, weight);
    lastAt[concept] = at;
  }
  return concepts.reduce(
    (sum, { idf }, index) => sum + closest[index]! * (index === 0 ? 0 : Math.min(idf, concepts[index - 1]!.idf)),
    0,
  );
}
