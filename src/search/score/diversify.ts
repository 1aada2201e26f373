import type { Ranked } from './bm25f.ts';

/** How much the worth of a result sinks with its likeness to one that is shown already. */
const repetition = 0.3;
/** A passage with fewer long words is compared by all its words. */
const enoughLong = 20;
/** So many times the results that are wanted are considered. */
const considered = 3;

/**
 * Chooses results that are good and differ (maximal marginal relevance, Carbonell and Goldstein 1998): what is like a result comes
 * later, so that one long document does not push all others out. Only what says exactly the same is left out: three tariffs in one
 * template differ in a name and a price, which is what was asked for. Best first.
 */
export function diversify(ranked: readonly Ranked[], limit: number): Ranked[] {
  const left = distinct(ranked.toSorted(byScore))
    .slice(0, considered * limit)
    .map((candidate) => ({ candidate, words: tellingWords(candidate.words), alike: 0 }));
  const chosen: Ranked[] = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ candidate, alike }) => candidate.score * (1 - repetition * alike));
    const [next] = left.splice(worth.indexOf(Math.max(...worth)), 1);
    chosen.push(next!.candidate);
    for (const one of left) one.alike = Math.max(one.alike, likenessOf(one.words, next!.words));
  }
  return chosen.toSorted(byScore);
}

const byScore = (a: Ranked, c: Ranked): number => c.score - a.score || a.id - c.id;

/** The first of those that say the same. */
const distinct = (ranked: readonly Ranked[]): Ranked[] =>
  Array.from(Map.groupBy(ranked, ({ hash }) => hash).values(), ([first]) => first!);

/** Long words tell texts apart as well as all of them, in half the time. */
const tellingWords = (words: string): ReadonlySet<string> => {
  const all = words.split(' ');
  const long = all.filter((word) => word.length > 5);
  return new Set(long.length >= enoughLong ? long : all.filter((word) => word.trim() !== ''));
};

/** Share of words that both have. */
function likenessOf(a: ReadonlySet<string>, c: ReadonlySet<string>): number {
  const common = a.intersection(c).size;
  return common / (a.size + c.size - common);
}
