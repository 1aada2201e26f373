import type { ScoredPassage } from './bm25f.ts';

/** The share of its score that a passage loses when it repeats a chosen one word for word. */
const redundancyPenalty = 0.3;
/** A passage with fewer long words is compared by all its words. */
const minLongWords = 20;
/** Passages considered for each result that is wanted. */
const consideredPerResult = 3;

/**
 * Chooses results by maximal marginal relevance (Carbonell and Goldstein 1998): passages similar to a better one move back, so that one
 * long document does not crowd out the others. Only duplicates are left out, because similar passages may be what was asked for: three
 * tariffs of one template differ in a name and a price. Returns the best first.
 */
export function diversify(ranked: readonly ScoredPassage[], limit: number): ScoredPassage[] {
  const remaining = withoutDuplicates(ranked.toSorted(byScore))
    .slice(0, consideredPerResult * limit)
    .map((passage) => ({ passage, words: characteristicWords(passage.words), similarity: 0 }));
  const chosen: ScoredPassage[] = [];
  while (chosen.length < limit && remaining.length > 0) {
    const relevance = remaining.map(({ passage, similarity }) => passage.score * (1 - redundancyPenalty * similarity));
    const [next] = remaining.splice(relevance.indexOf(Math.max(...relevance)), 1);
    chosen.push(next!.passage);
    for (const other of remaining) {
      other.similarity = Math.max(other.similarity, jaccardIndex(other.words, next!.words));
    }
  }
  return chosen.toSorted(byScore);
}

const byScore = (a: ScoredPassage, b: ScoredPassage): number => b.score - a.score || a.id - b.id;

/** Keeps the first of passages with the same content. */
const withoutDuplicates = (ranked: readonly ScoredPassage[]): ScoredPassage[] =>
  Array.from(Map.groupBy(ranked, ({ contentHash }) => contentHash).values(), ([first]) => first!);

/** The long words of a passage, which tell passages apart as well as all words do, in half the time. */
const characteristicWords = (words: string): ReadonlySet<string> => {
  const all = words.split(' ');
  const long = all.filter((word) => word.length > 5);
  return new Set(long.length >= minLongWords ? long : all.filter((word) => word.trim() !== ''));
};

/** The share of words that two sets have in common. */
function jaccardIndex(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size;
  return common / (a.size + b.size - common);
}
