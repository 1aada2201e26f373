import { graphOf, type Graph, nodesOf } from './graph.ts';
import { lexicon } from './lexicon.ts';
import { type Language, languages } from '../analysis/languages.ts';

let drawn: Graph | undefined;

/** Made when the first question needs it: it takes 0.05 s of an idle processor. */
const graph = (): Graph => (drawn ??= graphOf(lexicon()));

/** How many steps are gone (two lead by a meaning to its other words), and how much of what is at a node goes on from there. */
const steps = 4;
const goesOn = 0.85;
/** So many words of each language come to mind. */
const mostNearest = 50;

/** Roots that come to mind with a word, of one language, nearest first. */
export type Associated = { language: Language; roots: readonly string[] };

/**
 * What comes to mind with a word (as its stem, of a question that may be in the languages `asked`) in the languages `told`, the word
 * itself among it: what a random walk through the lexicon comes to that may end at every step (personalized PageRank, Page et al. 1998).
 * Near are words to which many short ways lead. Words of many meanings, which are reached from everywhere, count for less.
 */
export function associationsOf(word: string, asked: readonly Language[], told: readonly Language[]): Associated[] {
  const { roots, languageOf, degree } = graph();
  const found = languages.map(() => [] as Array<{ root: string; worth: number }>);
  for (const [node, amount] of reachedFrom(nodesOf(graph(), word, asked))) {
    const root = roots[node];
    if (root !== undefined) found[languageOf[node]!]!.push({ root, worth: amount / Math.sqrt(degree[node]!) });
  }
  return told.map((language) => {
    const sorted = found[languages.indexOf(language)]!.toSorted((a, b) => b.worth - a.worth);
    return { language, roots: sorted.slice(0, mostNearest).map(({ root }) => root) };
  });
}

/** By node, how much of the walks from some nodes ends there. */
function reachedFrom(starts: readonly number[]): Map<number, number> {
  const { first, to, share } = graph();
  const ended = new Map<number, number>();
  let here = new Map(starts.map((node) => [node, 1]));
  for (let step = 0; step <= steps; step++) {
    const next = new Map<number, number>();
    for (const [node, amount] of here) {
      ended.set(node, (ended.get(node) ?? 0) + amount);
      if (step === steps) continue;
      const on = goesOn * amount;
      for (let edge = first[node]!; edge < first[node + 1]!; edge++)
        next.set(to[edge]!, (next.get(to[edge]!) ?? 0) + on * share[edge]!);
    }
    here = next;
  }
  return ended;
}
