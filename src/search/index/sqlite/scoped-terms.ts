/**
 * One FTS5 table holds the terms of all knowledge bases, so a term begins with the number of its base. Looking up a term in one base
 * reads nothing of the others.
 */
export const scopedTerm = (baseId: number, term: string): string => `${baseId}_${term}`;

/** Scopes each term of a list with blanks between the terms. */
export const scopedTerms = (baseId: number, terms: string): string =>
  terms === '' ? '' : scopedTerm(baseId, terms.replaceAll(' ', ` ${scopedTerm(baseId, '')}`));

/** A quoted FTS5 string, so that nothing in a term is taken for query syntax. */
const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** An FTS5 query for a term in any of the knowledge bases. */
export const matchTerm = (baseIds: readonly number[], term: string): string =>
  `(${baseIds.map((baseId) => quote(scopedTerm(baseId, term))).join(' OR ')})`;
