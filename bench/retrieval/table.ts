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
    table['all']!['abstention AUC'] = percent(abstentionAuc(answers));
    table['all but cross_lingual']!['abstention AUC'] = percent(abstentionAuc(reachable));
  }
  return table;
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
