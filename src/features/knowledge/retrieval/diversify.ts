import type { Ranked } from './rank.ts';

/** How much the worth of a result sinks with its likeness to one that is shown already. */
const repetition = 0.3;
/** From this likeness on a passage says the same as another, and is left out. */
const sameText = 0.9;

/**
 * Chooses results that are good and differ (maximal marginal relevance, Carbonell and Goldstein 1998): what was said already is not
 * said again, and one long document does not push all others out. Best first.
 */
export function diversify(ranked: readonly Ranked[], limit: number): Ranked[] {
  const left = ranked.map((candidate) => ({ candidate, alike: 0 }));
  const chosen: Ranked[] = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ candidate, alike }) => candidate.score * (1 - repetition * alike));
    const [next] = left.splice(worth.indexOf(Math.max(...worth)), 1);
    if (next!.alike >= sameText) continue;
    chosen.push(next!.candidate);
    for (const one of left) one.alike = Math.max(one.alike, likenessOf(one.candidate, next!.candidate));
  }
  return chosen.toSorted((a, c) => c.score - a.score || a.id - c.id);
}

/** Share of words in common; passages of one document are never quite different. */
function likenessOf(a: Ranked, c: Ranked): number {
  const [few, many] = a.words.size < c.words.size ? [a.words, c.words] : [c.words, a.words];
  let common = 0;
  for (const word of few) if (many.has(word)) common += 1;
  return common / (few.size + many.size - common);
}
