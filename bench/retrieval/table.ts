import { abstentionAuc, type Answer, isAnswerable, qualityOf } from './measures.ts';

/** Percentages with one decimal, by name. */
type Row = Record<string, number>;
/** Rows by kind of question. */
export type Table = Record<string, Row>;

const percent = (share: number): number => Math.round(share * 1000) / 10;

/**
 * A row for each kind of question and one for all. Another row leaves out the questions in another language than the document, which
 * full text alone can hardly answer.
 */
export function tableOf(answers: readonly Answer[]): Table {
  const answerable = answers.filter(({ question }) => isAnswerable(question));
  const sameLanguage = answers.filter(({ question }) => question.kind !== 'cross_lingual');
  const groups: Array<[string, readonly Answer[]]> = [
    ...Map.groupBy(answerable, ({ question }) => question.kind),
    ['all', answerable],
    ['all but cross_lingual', sameLanguage.filter(({ question }) => isAnswerable(question))],
  ];
  const table = Object.fromEntries(groups.map(([name, group]) => [name, rowOf(group)]));
  if (answerable.length < answers.length) {
    Object.assign(table['all']!, abstentionOf(answers));
    Object.assign(table['all but cross_lingual']!, abstentionOf(sameLanguage));
  }
  return table;
}

/** Below this score callers are told to assume that there is no answer. */
const threshold = 0.5;

function abstentionOf(answers: readonly Answer[]): Row {
  const [answerable, unanswerable] = [true, false].map((wanted) =>
    answers.filter(({ question }) => isAnswerable(question) === wanted),
  );
  const shareKept = (group: readonly Answer[]): number =>
    group.filter(({ score }) => score >= threshold).length / group.length;
  return {
    'abstention AUC': percent(abstentionAuc(answers)),
    'kept at 0.5': percent(shareKept(answerable!)),
    'refused at 0.5': percent(1 - shareKept(unanswerable!)),
  };
}

function rowOf(answers: readonly Answer[]): Row {
  const { questions, recallAt5, mrrAt10, ndcgAt10 } = qualityOf(answers);
  return { questions, 'R@5': percent(recallAt5), 'MRR@10': percent(mrrAt10), 'nDCG@10': percent(ndcgAt10) };
}

/** Points by which a figure may fall before it counts as worse. */
const tolerance = 3;

/** Compares a table with the baseline and describes each figure that became worse. */
export function findRegressions(baseline: Table, table: Table): string[] {
  return Object.entries(baseline).flatMap(([kind, row]) =>
    Object.entries(row)
      .filter(([name, before]) => !((table[kind]?.[name] ?? Number.NaN) >= before - tolerance))
      .map(([name, before]) => `${kind}: ${name} is ${table[kind]?.[name] ?? 'missing'}, was ${before}`),
  );
}
