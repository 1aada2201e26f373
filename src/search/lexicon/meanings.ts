import { type Language, languages } from '../analysis/languages.ts';
import { type Entry, keyOf, lexicon, rootOf } from './lexicon.ts';

/** A word that a text may have for one of the question, by its root, and how much it counts (0 to 1). */
export type Meant = { root: string; language: Language; weight: number };

/** Words of a question that mean something, alone or together, by their positions. */
export type Sense = { at: readonly number[]; meant: readonly Meant[] };

/** What a word counts that shares a meaning with the one asked for; more meanings shared count more, up to a limit. */
const sameMeaning = 0.55;
const mostSame = 0.75;
/** The same for another form of the word, and for a kind of it, or what it is a kind of. */
const otherForm = 0.85;
const relation = 0.3;
/** Words in between those that belong together ("pick it up"). */
const mostBetween = 2;

/**
 * What a question's words (as stems, in order) mean, in the languages that it may be in, and in those that texts may be in. Where
 * words together mean something, that is what each of them means.
 */
export function sensesOf(words: readonly string[], asked: readonly Language[], told: readonly Language[]): Sense[] {
  const senses: Sense[] = [];
  const taken = new Set<number>();
  for (const [from, word] of words.entries()) {
    if (taken.has(from)) continue;
    const found = entriesAt(words, from, asked);
    const longest = Math.max(1, ...found.map(({ at }) => at.length));
    const best = found.filter(({ at }) => at.length === longest);
    const at = best[0]?.at ?? [from];
    for (const one of at) taken.add(one);
    const isEnglish = asked.length === 0 || asked.includes('en');
    const alone = at.length === 1 && isEnglish ? besides(word) : [];
    const meant = [...meantBy(best, told), ...alone];
    if (best.length > 0 || alone.length > 0) senses.push({ at, meant });
  }
  return senses;
}

function meantBy(found: readonly Found[], told: readonly Language[]): Meant[] {
  const meant = new Map<string, Meant>();
  for (const meaning of new Set(found.map(({ entry }) => entry.meaning))) {
    for (const { language, roots } of lexicon().meanings[meaning]!) {
      const [root] = roots;
      if (roots.length > 1 || !told.includes(language)) continue;
      const key = keyOf(language, root!);
      const weight = 1 - (1 - (meant.get(key)?.weight ?? 0)) * (1 - sameMeaning);
      meant.set(key, { root: root!, language, weight: Math.min(mostSame, weight) });
    }
  }
  return [...meant.values()];
}

/** What English words bring along by themselves, whatever they mean. */
function besides(word: string): Meant[] {
  const meant = (roots: Iterable<string> | undefined, weight: number): Meant[] =>
    [...(roots ?? [])].map((root) => ({ root, language: 'en', weight }));
  return [...meant(lexicon().forms.get(word), otherForm), ...meant(lexicon().related.get(word), relation)];
}

type Found = { entry: Entry; at: number[] };

/** The words of a question that shows no language are taken for English where they may be. */
function entriesAt(words: readonly string[], from: number, asked: readonly Language[]): Found[] {
  if (asked.length > 0) return asked.flatMap((language) => entriesIn(words, from, language));
  const inEnglish = entriesIn(words, from, 'en');
  return inEnglish.length > 0 ? inEnglish : languages.flatMap((language) => entriesIn(words, from, language));
}

const entriesIn = (words: readonly string[], from: number, language: Language): Found[] =>
  (lexicon().entries.get(keyOf(language, rootOf(words[from]!, language))) ?? []).flatMap((entry) => {
    const at = positionsOf(entry, words, from);
    return at ? [{ entry, at }] : [];
  });

/** Where the words of an entry stand, if all do, in order and near each other. */
function positionsOf({ language, roots }: Entry, words: readonly string[], from: number): number[] | undefined {
  const at = [from];
  for (const root of roots.slice(1)) {
    const start = at.at(-1)! + 1;
    const next = words.slice(start, start + 1 + mostBetween).findIndex((word) => rootOf(word, language) === root);
    if (next === -1) return undefined;
    at.push(start + next);
  }
  return at;
}
