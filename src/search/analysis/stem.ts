import { stemmer } from 'stemmer';
import { memoize } from '../../base/memoize.ts';

const english = /^[a-z]{3,}$/;
const stemOf = memoize(20_000, stemmer);

/**
 * What a word has in common with its other forms, by Porter's rules for English. Words of other languages lose an ending at most, in
 * texts and questions alike. The stems of the commonest words are kept: a text repeats few words often.
 */
export const stem = (word: string): string => (english.test(word) ? stemOf(word) : word);
