const resultsCounted = 10;

const gainAt = (grade: number, rank: number): number => grade / Math.log2(rank + 2);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** nDCG@10: `found` are the grades of the results in order, 0 for irrelevant ones; `relevant` those of all relevant documents. */
export function ndcg(found: readonly number[], relevant: readonly number[]): number {
  const gain = (grades: readonly number[]): number => sum(grades.slice(0, resultsCounted).map(gainAt));
  return gain(found) / gain(relevant.toSorted((a, b) => b - a));
}

/**
 * How often a question with an answer scores higher than one without: 1 when a threshold separates them perfectly, 0.5 by chance.
 */
export const areaUnderCurve = (answerable: readonly number[], unanswerable: readonly number[]): number =>
  mean(answerable.flatMap((a) => unanswerable.map((b) => (a > b ? 1 : a === b ? 0.5 : 0))));
