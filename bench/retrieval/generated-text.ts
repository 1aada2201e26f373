import { misspell } from './misspell.ts';
import { randomFrom } from './random.ts';

/** Random passages whose words are distributed as in a language (Zipf's law). The same seed gives the same texts. */
export type TextGenerator = {
  /** 100 to 160 words. */
  passage(): string;
  /** Eight words of one of the passages, frequent and rare ones, and one of them misspelt. */
  question(passages: readonly string[]): string;
};

const syllables = 'ba be bi bo da de di do fa fe fi ga ge go ha he ka ke ki la le li lo ma me mi mo na ne ni no'.split(
  ' ',
);
const endings = ['', 'n', 'r', 's', 't', 'l', 'ding', 'tion'];
const vocabularySize = 60_000;
/** The most frequent words are left out of questions: search does not look up stop words either. */
const stopWordCount = 50;

export function createTextGenerator(seed: number): TextGenerator {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (list: readonly string[]): string => list[below(list.length)]!;
  const vocabulary: string[] = [];
  /** Invents a word; frequent words are shorter. */
  const invent = (rank: number): string =>
    Array.from({ length: 2 + Math.floor(Math.log10(rank + 1) / 1.5) + below(2) }, () => pick(syllables))
      .concat(pick(endings))
      .join('');
  const word = (): string => {
    const rank = Math.floor(vocabularySize ** random());
    return (vocabulary[rank] ??= invent(rank));
  };
  const isContentWord = (text: string): boolean => !vocabulary.slice(0, stopWordCount).includes(text);
  return {
    passage: () => Array.from({ length: 100 + below(60) }, word).join(' '),
    question(passages) {
      const contentWords = pick(passages).split(' ').filter(isContentWord);
      const chosen = Array.from({ length: 8 }, () => pick(contentWords));
      return [...chosen.slice(0, 7), misspell(chosen[7]!, random)].join(' ');
    },
  };
}
