/**
 * Judges search on public collections that nobody here wrote, beside what FTS5 finds by itself.
 *
 *   npm run bench:retrieval -- [--collections <folder>] [--seed 7] [--apart]
 *
 * bench/data/README.md says where the collections come from; without a folder there is only the row of questions written for parley.
 * `--apart` measures the collections on which settings may be chosen. All others only judge.
 */
import { parseArgs } from 'node:util';
import { type Library, openLibrary } from '../../test/support/library.ts';
import { cpuMs } from '../support/cpu.ts';
import { median } from '../support/report.ts';
import { bareFts5 } from './bare-fts5.ts';
import { type Collection, type CollectionQuestion, readCollections } from './collections.ts';
import { indexCollection } from './index-collection.ts';
import { makersQuestions } from './makers-questions.ts';
import { areaUnderCurve, mean, ndcg } from './measures.ts';
import { misspell } from './misspell.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: process.env['PARLEY_COLLECTIONS'] },
    seed: { type: 'string', default: '7' },
    apart: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);

type Columns = Record<string, string>;

const qualityOf = (found: readonly string[], { grades }: CollectionQuestion): number =>
  ndcg(
    found.map((id) => grades.get(id) ?? 0),
    [...grades.values()],
  );

const timed = <R>(run: () => R): { result: R; ms: number } => {
  const before = cpuMs();
  const result = run();
  return { result, ms: cpuMs() - before };
};

/** How well each engine answers, and how much processor time it takes, question by question in turns. */
async function answersOf(library: Library, collection: Collection): Promise<Columns> {
  const ask = await indexCollection(library, collection.documents);
  const bare = bareFts5(collection.documents);
  const random = randomFrom(seed);
  const [ours, misspelt, stems, trigrams, msOfOurs, msOfStems]: number[][] = [[], [], [], [], [], []];
  for (const question of collection.questions.filter(({ grades }) => grades.size > 0)) {
    const { ids, cpuMs: ms } = await ask(question.text);
    const byStems = timed(() => bare.byStems(question.text));
    ours!.push(qualityOf(ids, question));
    misspelt!.push(qualityOf((await ask(misspell(question.text, random))).ids, question));
    stems!.push(qualityOf(byStems.result, question));
    trigrams!.push(qualityOf(bare.byStemsAndTrigrams(question.text), question));
    msOfOurs!.push(ms);
    msOfStems!.push(byStems.ms);
  }
  bare.close();
  const share = (all: readonly number[]): string => mean(all).toFixed(3);
  return {
    passages: String(collection.documents.length),
    questions: String(ours!.length),
    parley: share(ours!),
    misspelt: share(misspelt!),
    'FTS5 stems': share(stems!),
    'FTS5 stems and trigrams': share(trigrams!),
    'p50, ms of CPU': median(msOfOurs!).toFixed(2),
    'of stems': median(msOfStems!).toFixed(2),
    ratio: (median(msOfOurs!) / median(msOfStems!)).toFixed(1),
  };
}

/** Below this score callers are told to assume that there is no answer. */
const threshold = 0.5;
const percent = (flags: readonly boolean[]): string => `${Math.round(100 * mean(flags.map(Number)))} %`;

/**
 * How well scores tell questions with an answer from those without. Where all have one, every other article is left out, so that the
 * questions about it have none.
 */
async function abstentionOf(library: Library, { documents, questions }: Collection): Promise<Columns> {
  const allAnswered = questions.every(({ grades }) => grades.size > 0);
  const isLeftOut = ({ article }: { article: number }): boolean => allAnswered && article % 2 === 1;
  const ask = await indexCollection(
    library,
    documents.filter((document) => !isLeftOut(document)),
  );
  const [answerable, unanswerable]: number[][] = [[], []];
  for (const question of questions) {
    const { score } = await ask(question.text);
    (isLeftOut(question) || question.grades.size === 0 ? unanswerable : answerable)!.push(score);
  }
  return {
    AUC: areaUnderCurve(answerable!, unanswerable!).toFixed(3),
    'kept at 0.5': percent(answerable!.map((score) => score >= threshold)),
    'refused at 0.5': percent(unanswerable!.map((score) => score < threshold)),
  };
}

const library = await openLibrary();
console.log(`nDCG@10; one word misspelt from seed ${seed}; AUC with every other article left out`);
const table: Record<string, Columns> = {};
const collections = values.collections === undefined ? [] : readCollections(values.collections, values);
for (const collection of [...collections, ...(values.apart ? [] : [makersQuestions()])]) {
  const isAboutArticles = new Set(collection.questions.map(({ article }) => article)).size > 1;
  const abstention = isAboutArticles ? await abstentionOf(library, collection) : {};
  table[collection.name] = { ...(await answersOf(library, collection)), ...abstention };
}
console.table(table);
await library.close();
