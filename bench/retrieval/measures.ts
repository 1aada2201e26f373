export type Question = {
  kind: string;
  /** The question itself. */
  ask: string;
  /** The document with the answer, and words that only the passage with the answer contains. Both are missing if there is no answer. */
  in?: string;
  says?: string;
};

export type Answer = {
  question: Question;
  /** For each result in order, whether it has the answer. */
  hits: readonly boolean[];
  /** How many passages have the answer. */
  relevant: number;
  /** Score of the best result; 0 without results. */
  score: number;
};

export const isAnswerable = ({ says }: Question): boolean => says !== undefined;

export const isRelevant = (question: Question, passage: { document: string; text: string }): boolean =>
  question.says !== undefined && question.in === passage.document && passage.text.includes(question.says);

/** Shares from 0 to 1. */
export type Quality = { questions: number; recallAt5: number; mrrAt10: number; ndcgAt10: number };

export function qualityOf(answers: readonly Answer[]): Quality {
  return {
    questions: answers.length,
    recallAt5: mean(answers.map(({ hits }) => (hits.slice(0, 5).includes(true) ? 1 : 0))),
    mrrAt10: mean(answers.map(({ hits }) => reciprocalRank(hits.slice(0, 10)))),
    ndcgAt10: mean(answers.map(ndcg)),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const reciprocalRank = (hits: readonly boolean[]): number => (hits.includes(true) ? 1 / (hits.indexOf(true) + 1) : 0);

const gainAt = (rank: number): number => 1 / Math.log2(rank + 2);

function ndcg({ hits, relevant }: Answer): number {
  const gain = hits.slice(0, 10).reduce((sum, hit, rank) => sum + (hit ? gainAt(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, relevant) }, (_, rank) => gainAt(rank)).reduce((a, b) => a + b, 0);
  return gain / ideal;
}

/**
 * How often a question with an answer scores higher than one without: 1 when a threshold separates them perfectly, 0.5 by chance.
 */
export function abstentionAuc(answers: readonly Answer[]): number {
  const [answerable, unanswerable] = [true, false].map((wanted) =>
    answers.filter(({ question }) => isAnswerable(question) === wanted),
  );
  const wins = answerable!.flatMap((a) =>
    unanswerable!.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)),
  );
  return mean(wins);
}
