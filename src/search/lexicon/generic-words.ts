import { fold } from '../analysis/fold.ts';
import { stem } from '../analysis/stem.ts';
import { wordLists } from './data.generated.ts';

/**
 * Words that say little about the subject of a question: what people do, how and when, whatever the subject. They are rare in a small
 * knowledge base, so their idf alone would overrate them.
 */
const genericStems: ReadonlySet<string> = new Set(
  [wordLists['generic-words/english'], wordLists['generic-words/other-languages']]
    .flatMap((list) => list.split('\n'))
    .map((word) => stem(fold(word))),
);

/** Whether a stem belongs to a word that questions about any subject use. */
export const isGenericWord = (wordStem: string): boolean => genericStems.has(wordStem);
