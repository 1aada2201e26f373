/**
 * Measures how much processor time a question takes in a large knowledge base, and in a small one beside it, and FTS5 with Porter stems
 * alone. On a quiet machine that is how long it takes.
 *
 *   npm run bench:retrieval:speed [-- --quick] [-- --passages 100000]
 */
import { parseArgs } from 'node:util';
import { installation, transact } from '../../src/db/transaction.ts';
import { openLibrary } from '../../test/support/library.ts';
import { cpuMs } from '../support/cpu.ts';
import { median, quick, report, type Row } from '../support/report.ts';
import { bareFts5 } from './bare-fts5.ts';
import { createTextGenerator } from './generated-text.ts';

const { values } = parseArgs({ options: { passages: { type: 'string' }, quick: { type: 'boolean' } } });
const passages = Number(values.passages ?? (quick ? 5000 : 100_000));
const smallBasePassages = 500;
const questions = quick ? 50 : 200;
const warmUpQuestions = 20;
const passagesPerDocument = 50;
const generator = createTextGenerator(7);
const library = await openLibrary();

type Filled = { base: string; texts: string[] };

async function fill(count: number): Promise<Filled> {
  const base = await library.createBase();
  const texts: string[] = [];
  while (texts.length < count) {
    const added = Array.from({ length: passagesPerDocument }, () => generator.passage());
    const chunks = added.map((text) => ({ text, heading: null, page: null }));
    await transact(library.app.db, installation, () => library.put(base, { title: '', chunks }));
    texts.push(...added);
  }
  return { base, texts };
}

/** Asks parley and FTS5 in turns. */
async function measure({ base, texts }: Filled): Promise<Row[]> {
  const bare = bareFts5(texts.map((text, index) => ({ id: String(index), article: index, title: '', text })));
  const [ours, theirs]: number[][] = [[], []];
  for (let index = 0; index < questions + warmUpQuestions; index++) {
    const question = generator.question(texts);
    const before = cpuMs();
    await library.ask(base, question);
    const between = cpuMs();
    bare.byStems(question);
    if (index < warmUpQuestions) continue;
    ours!.push(between - before);
    theirs!.push(cpuMs() - between);
  }
  bare.close();
  const p95 = (durations: number[]): number =>
    durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.95)]!;
  const what = `${texts.length} passages`;
  return [
    {
      what: `${what}: p50`,
      bare: median(theirs!),
      parley: median(ours!),
      unit: 'ms',
      digits: 1,
      target: { atMost: 5 },
    },
    { what: `${what}: p95`, bare: p95(theirs!), parley: p95(ours!), unit: 'ms', digits: 1 },
  ];
}

const before = cpuMs();
const large = await fill(passages);
const msPerPassage = (cpuMs() - before) / passages;
const small = await fill(smallBasePassages);
const rows = [
  { what: 'adding a passage', parley: msPerPassage, unit: 'ms', digits: 2 },
  ...(await measure(large)),
  ...(await measure(small)),
];
await library.close();
report(`questions to knowledge bases, ${questions} each; bare: FTS5 with Porter stems alone`, rows, [
  'each question has eight words, one of them misspelt; passages have 100 to 160 words',
]);
