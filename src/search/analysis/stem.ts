import { stemmer } from 'stemmer';
import { memoize } from '../../base/memoize.ts';

const english = /^[a-z]{3,}$/;
const porterStem = memoize(20_000, stemmer);

/**
 * Reduces a word to its stem by Porter's rules for English, which at most remove an ending from words of other languages. Texts and
 * queries go through the same rules. Stems are cached, because most of a text consists of a few words that it repeats often.
 */
export const stem = (word: string): string => (english.test(word) ? porterStem(word) : word);
