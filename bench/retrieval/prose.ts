import { lexicon } from '../../src/search/lexicon/lexicon.ts';

/** Text whose words are as unevenly common as those of a language (Zipf), the same at every run. */
export type Prose = {
  title(): string;
  /** 300 to 700 words. */
  text(): string;
  /** Eight words of one of the texts as somebody would ask for them: common ones and rare ones, one of them misspelt. */
  question(texts: readonly string[]): string;
};

const syllables = 'ba be bi bo da de di do fa fe fi ga ge go ha he ka ke ki la le li lo ma me mi mo na ne ni no'.split(
  ' ',
);
const endings = ['', 'n', 'r', 's', 't', 'l', 'ding', 'tion'];
const vocabulary = 60_000;
/** Of the words every third is a real one, of which the search knows what else means the same, until there are no more. */
const real = [
  ...new Set(
    lexicon()
      .synsets.flat()
      .flatMap(({ language, roots }) => (language === 'en' ? roots : [])),
  ),
];
const everyReal = 3;
/** The commonest, which the search does not look up in a real language. */
const functionWords = 50;

export function createProse(seed: number): Prose {
  let state = seed;
  /** mulberry32 (Tommy Ettinger, public domain). */
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const some = (list: readonly string[]): string => list[upTo(list.length)]!;
  const known: string[] = [];
  /** The commoner, the shorter. */
  const spelling = (rank: number): string => {
    const isReal = rank % everyReal === 0 && rank / everyReal < real.length;
    if (isReal) known[rank] = real[rank / everyReal]!;
    known[rank] ??= Array.from({ length: 2 + Math.floor(Math.log10(rank + 1) / 1.5) + upTo(2) }, () => some(syllables))
      .concat(some(endings))
      .join('');
    return known[rank];
  };
  const word = (): string => spelling(Math.floor(vocabulary ** random()));
  const isContent = (text: string): boolean => !known.slice(0, functionWords).includes(text);
  const words = (count: number): string[] => Array.from({ length: count }, word);
  const misspelt = (text: string): string => {
    const cut = 1 + upTo(text.length - 1);
    return text.slice(0, cut) + text.slice(cut + 1);
  };
  return {
    title: () => words(4).join(' '),
    text: () => Array.from({ length: 25 + upTo(33) }, () => `${words(12).join(' ')}.`).join(' '),
    question(texts) {
      const own = some(texts).replaceAll('.', '').split(' ').filter(isContent);
      const asked = Array.from({ length: 8 }, () => some(own));
      return [...asked.slice(0, 7), misspelt(asked[7]!)].join(' ');
    },
  };
}
