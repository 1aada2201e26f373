import { lexicon } from '../../src/search/lexicon/lexicon.ts';

/** Random texts whose words are distributed as in a language (Zipf's law). The same seed gives the same texts. */
export type TextGenerator = {
  title(): string;
  /** 300 to 700 words. */
  text(): string;
  /** Eight words from one of the texts, frequent and rare ones, the last of them misspelled. */
  question(texts: readonly string[]): string;
};

const syllables = 'ba be bi bo da de di do fa fe fi ga ge go ha he ka ke ki la le li lo ma me mi mo na ne ni no'.split(
  ' ',
);
const endings = ['', 'n', 'r', 's', 't', 'l', 'ding', 'tion'];
const vocabularySize = 60_000;
/** Words of the lexicon, so that query expansion has something to do. */
const lexiconWords = [
  ...new Set(
    lexicon()
      .synsets.flat()
      .flatMap(({ language, roots }) => (language === 'en' ? roots : [])),
  ),
];
/** Every third word is one of the lexicon, until they run out. */
const lexiconInterval = 3;
/** The most frequent words are left out of questions: search does not look up stop words either. */
const stopWordCount = 50;

export function createTextGenerator(seed: number): TextGenerator {
  let state = seed;
  /** mulberry32 (Tommy Ettinger, public domain). */
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (list: readonly string[]): string => list[below(list.length)]!;
  const vocabulary: string[] = [];
  /** Invents a word; frequent words are shorter. */
  const invent = (rank: number): string =>
    Array.from({ length: 2 + Math.floor(Math.log10(rank + 1) / 1.5) + below(2) }, () => pick(syllables))
      .concat(pick(endings))
      .join('');
  const wordAt = (rank: number): string => {
    const fromLexicon = rank % lexiconInterval === 0 ? lexiconWords[rank / lexiconInterval] : undefined;
    return (vocabulary[rank] ??= fromLexicon ?? invent(rank));
  };
  const word = (): string => wordAt(Math.floor(vocabularySize ** random()));
  const isContentWord = (text: string): boolean => !vocabulary.slice(0, stopWordCount).includes(text);
  const words = (count: number): string[] => Array.from({ length: count }, word);
  const misspell = (text: string): string => {
    const dropped = 1 + below(text.length - 1);
    return text.slice(0, dropped) + text.slice(dropped + 1);
  };
  return {
    title: () => words(4).join(' '),
    text: () => Array.from({ length: 25 + below(33) }, () => `${words(12).join(' ')}.`).join(' '),
    question(texts) {
      const contentWords = pick(texts).replaceAll('.', '').split(' ').filter(isContentWord);
      const chosen = Array.from({ length: 8 }, () => pick(contentWords));
      return [...chosen.slice(0, 7), misspell(chosen[7]!)].join(' ');
    },
  };
}
