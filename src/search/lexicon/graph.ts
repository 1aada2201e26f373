import { type Entry, keyOf, type Lexicon, rootOf } from './lexicon.ts';
import { type Language, languages } from '../analysis/languages.ts';
import { isLight } from '../analysis/light-words.ts';

/**
 * The lexicon as a graph: words beside their meanings, and beside their other forms, their kinds and what comes with them. The edges of
 * node n stand from `first[n]` to `first[n + 1]`. Words come before meanings. It takes 1.6 MB.
 */
export type Graph = {
  nodes: ReadonlyMap<string, number>;
  /** Of words: the root, and the number of its language. */
  roots: readonly string[];
  languageOf: readonly number[];
  first: Int32Array;
  to: Int32Array;
  /** How much of what is at a node goes along an edge. */
  share: Float32Array;
  /** What the edges of a node weigh together. */
  degree: Float32Array;
};

/** What edges weigh: that a word has a meaning alone, or together with others; other forms; kinds, and what comes with a situation. */
const alone = 1;
const together = 0.5;
const otherForm = 2;
const relation = 0.8;

type Edge = readonly [from: number, to: number, weight: number];

export function graphOf({ meanings, related, forms }: Lexicon): Graph {
  const nodes = new Map<string, number>();
  const roots: string[] = [];
  const languageOf: number[] = [];
  const nodeOf = (language: Language, root: string): number => {
    const key = keyOf(language, root);
    const known = nodes.get(key);
    if (known !== undefined) return known;
    nodes.set(key, roots.length);
    languageOf.push(languages.indexOf(language));
    return roots.push(root) - 1;
  };
  const inEnglish = (pairs: Lexicon['related'], weight: number): Edge[] =>
    [...pairs].flatMap(([one, others]) =>
      [...others].map((other): Edge => [nodeOf('en', one), nodeOf('en', other), weight]),
    );
  const edges = [...inEnglish(related, relation), ...inEnglish(forms, otherForm)];
  const meant = meanings
    .flat()
    .flatMap((entry) => tellingRoots(entry).map((root) => ({ entry, word: nodeOf(entry.language, root) })));
  for (const { entry, word } of meant) {
    const meaning = roots.length + entry.meaning;
    const weight = entry.roots.length > 1 ? together : alone;
    edges.push([word, meaning, weight], [meaning, word, weight]);
  }
  return { nodes, roots, languageOf, ...arraysOf(edges, roots.length + meanings.length) };
}

/** Of words that mean something together, those that are said about any matter do not bring it to mind. */
const tellingRoots = ({ roots }: Entry): readonly string[] =>
  roots.length > 1 ? roots.filter((root) => !isLight(root)) : roots;

function arraysOf(edges: readonly Edge[], count: number): Pick<Graph, 'first' | 'to' | 'share' | 'degree'> {
  const first = new Int32Array(count + 1);
  const degree = new Float32Array(count);
  for (const [from, , weight] of edges) {
    first[from + 1]! += 1;
    degree[from]! += weight;
  }
  for (let node = 0; node < count; node++) first[node + 1]! += first[node]!;
  const next = first.slice();
  const to = new Int32Array(edges.length);
  const share = new Float32Array(edges.length);
  for (const [from, node, weight] of edges) {
    const at = next[from]!++;
    to[at] = node;
    share[at] = weight / degree[from]!;
  }
  return { first, to, share, degree };
}

/** Where a word (as its stem) stands: in the languages it may be in, or else in English, or else in any. */
export function nodesOf({ nodes }: Graph, word: string, asked: readonly Language[]): number[] {
  const among = (some: readonly Language[]): number[] =>
    some.flatMap((language) => nodes.get(keyOf(language, rootOf(word, language))) ?? []);
  return [asked, ['en'] as const, languages].map(among).find((found) => found.length > 0) ?? [];
}
