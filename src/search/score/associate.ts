import type { Weighed } from '../recall/gather.ts';
import type { Ranked } from './bm25f.ts';
import { isWhole } from '../analysis/languages.ts';
import { rootOf } from '../lexicon/lexicon.ts';

/** Chosen on bench/retrieval/tuning/questions.yaml: how much of a score is what comes to mind. */
const worth = 0.2;
/** Only passages that are this good by words are looked at: others would not be shown. */
const mostJudged = 15;
/** Of what comes to mind with a word a passage counts for the nearest few, and need not have all of it. */
const mostCounted = 5;
const enough = 2;
/** Places from the nearest word to one that counts half. */
const halfAt = 10;

/** What a word counts, for which concepts. */
type Nearness = Array<{ concept: number; weight: number }>;

/**
 * Scores by words, mixed with how much of what comes to mind with the question a passage has: two that have as many of its words differ
 * in whether the rest is about the same matter. It only chooses among what words have found.
 */
export function broughtNearer(ranked: readonly Ranked[], concepts: readonly Weighed[], rare: number): Ranked[] {
  const nearness = nearnessOf(concepts);
  const best = new Set(ranked.toSorted((a, b) => b.score - a.score).slice(0, mostJudged));
  const total = concepts.reduce((sum, { idf }) => sum + idf, rare);
  return ranked.map((one) => {
    const associated = best.has(one) ? shareOf(one.words, nearness, concepts) / total : 0;
    return { ...one, score: (1 - worth) * one.score + worth * associated };
  });
}

/** By word, in the form that passages are compared in; of languages with endings by root. */
type Nearest = { whole: ReadonlyMap<string, Nearness>; roots: ReadonlyMap<string, Nearness> };

function nearnessOf(concepts: readonly Weighed[]): Nearest {
  const whole = new Map<string, Nearness>();
  const roots = new Map<string, Nearness>();
  for (const [concept, { associated }] of concepts.entries()) {
    for (const { language, roots: nearest } of associated) {
      const known = isWhole(language) ? whole : roots;
      for (const [place, root] of nearest.entries()) {
        const weight = 1 / (1 + place / halfAt);
        const some = known.get(root) ?? [];
        known.set(root, some);
        const last = some.at(-1);
        // Two languages may share a root.
        if (last?.concept === concept) last.weight = Math.max(last.weight, weight);
        else some.push({ concept, weight });
      }
    }
  }
  return { whole, roots };
}

/** The share of a text's words, each once. */
function shareOf(words: string, { whole, roots }: Nearest, concepts: readonly Weighed[]): number {
  const found = new Set<Nearness>();
  for (const word of words.split(' ')) {
    const nearness = whole.get(word) ?? (roots.size > 0 ? roots.get(rootOf(word, 'de')) : undefined);
    if (nearness) found.add(nearness);
  }
  const counted = concepts.map(() => [] as number[]);
  for (const nearness of found) for (const { concept, weight } of nearness) counted[concept]!.push(weight);
  return counted.reduce((sum, weights, concept) => sum + concepts[concept]!.idf * nearestOf(weights), 0);
}

const nearestOf = (weights: readonly number[]): number => {
  const best = weights.toSorted((a, b) => b - a).slice(0, mostCounted);
  return Math.min(1, best.reduce((sum, weight) => sum + weight, 0) / enough);
};
