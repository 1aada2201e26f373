/**
 * One FTS5 table holds the terms of all knowledge bases, so a term begins with the number of its base. Looking up a word in one base
 * reads nothing of the others.
 */
export const scopedTerm = (baseId: number, word: string): string => `${baseId}_${word}`;

/** Scopes each word of a list with blanks between the words. */
export const scopedTerms = (baseId: number, words: string): string =>
  words === '' ? '' : scopedTerm(baseId, words.replaceAll(' ', ` ${scopedTerm(baseId, '')}`));

/** A quoted FTS5 string, so that nothing in a term is taken for query syntax. */
const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** An FTS5 query for any of the words in any of the knowledge bases. */
export const matchAny = (baseIds: readonly number[], words: readonly string[]): string =>
  `(${words.flatMap((word) => baseIds.map((baseId) => quote(scopedTerm(baseId, word)))).join(' OR ')})`;
