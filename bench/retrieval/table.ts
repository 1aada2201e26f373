import { abstentionAuc, type Answered, isAnswerable, qualityOf } from './measures.ts';

/** A line of the table: shares in percent with one digit. */
type Line = Record<string, number>;
export type Table = Record<string, Line>;

const percent = (share: number): number => Math.round(share * 1000) / 10;

/** By kind of question, and for all together; full text alone cannot reach other languages, so a line leaves them out. */
export function tableOf(answers: readonly Answered[]): Table {
  const answerable = answers.filter(({ question }) => isAnswerable(question));
  const reachable = answers.filter(({ question }) => question.kind !== 'cross_lingual');
  const lines: Array<[string, readonly Answered[]]> = [
    ...Map.groupBy(answerable, ({ question }) => question.kind),
    ['all', answerable],
    ['all but cross_lingual', reachable.filter(({ question }) => isAnswerable(question))],
  ];
  const table = Object.fromEntries(lines.map(([name, some]) => [name, lineOf(some)]));
  if (answerable.length < answers.length) {
    Object.assign(table['all']!, abstentionOf(answers));
    Object.assign(table['all but cross_lingual']!, abstentionOf(reachable));
  }
  return table;
}

/** The score that callers of the search are told to take for "not in here". */
const threshold = 0.5;

function abstentionOf(answers: readonly Answered[]): Line {
  const [yes, no] = [true, false].map((wanted) => answers.filter(({ question }) => isAnswerable(question) === wanted));
  const above = (some: readonly Answered[]): number =>
    some.filter(({ score }) => score >= threshold).length / some.length;
  return {
    'abstention AUC': percent(abstentionAuc(answers)),
    'kept at 0.5': percent(above(yes!)),
    'refused at 0.5': percent(1 - above(no!)),
  };
}

function lineOf(answers: readonly Answered[]): Line {
  const { questions, recallAt5, mrrAt10, ndcgAt10 } = qualityOf(answers);
  return { questions, 'R@5': percent(recallAt5), 'MRR@10': percent(mrrAt10), 'nDCG@10': percent(ndcgAt10) };
}

/** Points that a figure may fall before it counts as worse. */
const tolerance = 3;

/** What is worse than it was, in sentences. */
export function compare(baseline: Table, table: Table): string[] {
  return Object.entries(baseline).flatMap(([kind, line]) =>
    Object.entries(line)
      .filter(([name, before]) => !((table[kind]?.[name] ?? Number.NaN) >= before - tolerance))
      .map(([name, before]) => `${kind}: ${name} is ${table[kind]?.[name] ?? 'missing'}, was ${before}`),
  );
}
