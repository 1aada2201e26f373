import { stemmer } from 'stemmer';
import { memoize } from '../../base/memoize.ts';

const english = /^[a-z]{3,}$/;
const porterStem = memoize(20_000, stemmer);

/**
 * Reduces a word to its stem by Porter's rules for English, which take at most an ending off words of other languages. Texts and
 * queries go through the same rules. Stems of frequent words are cached, because a text repeats few words often.
 */
export const stem = (word: string): string => (english.test(word) ? porterStem(word) : word);
