import { isStopWord } from '../analysis/stop-words.ts';
import { termsOf } from '../analysis/tokenize.ts';

/** A longer query is reduced to the terms that it repeats most, then to its longest. */
const maxTerms = 24;

/** The distinct terms of a query, without stop words unless it has nothing else. */
export function queryTerms(query: string): string[] {
  const counts = new Map<string, number>();
  for (const term of termsOf(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const content = [...counts].filter(([term]) => !isStopWord(term));
  const kept = content.length > 0 ? content : [...counts];
  return kept
    .toSorted(([a, n], [b, m]) => (kept.length > maxTerms ? m - n || b.length - a.length : 0))
    .slice(0, maxTerms)
    .map(([term]) => term);
}
