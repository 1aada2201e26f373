import { stem } from './stem.ts';

/**
 * English words that hold a question together. They are left out of questions only, because looking up a word that most passages have
 * takes longest and tells least. Other languages need no list: their frequent words weigh little.
 */
const words =
  'a an and are as at be been but by can could did do does for from had has have he how i if in into is it its may me my no not of on ' +
  'or our s shall she should so such t than that the their them then there these they this to us was we were what when where which who ' +
  'whom whose why will with would you your';

const stopWords: ReadonlySet<string> = new Set(words.split(' ').map(stem));

/** Whether a term is a stop word. */
export const isStopWord = (term: string): boolean => stopWords.has(term);
