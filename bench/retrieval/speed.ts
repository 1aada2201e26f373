/**
 * Measures how long a question takes in a knowledge base of 20,000 documents, and in small bases in the same database.
 *
 *   npm run bench:retrieval:speed [-- --quick] [-- --documents 20000]
 */
import { parseArgs } from 'node:util';
import { installation, transact } from '../../src/db/transaction.ts';
import { type Library, openLibrary } from '../../test/support/library.ts';
import { quick, report, type Row } from '../support/report.ts';
import { createTextGenerator } from './generated-text.ts';

const { values } = parseArgs({ options: { documents: { type: 'string' }, quick: { type: 'boolean' } } });
const documents = Number(values.documents ?? (quick ? 2000 : 20_000));
const questions = quick ? 100 : 500;
const warmUpQuestions = 20;
const smallBaseDocuments = 100;
const smallBases = quick ? 5 : 50;
const documentsPerTransaction = 50;
const generator = createTextGenerator(7);

type FilledBase = { base: string; nextQuestion: () => string };

async function fillBase(library: Library, count: number): Promise<FilledBase> {
  const base = await library.createBase();
  const texts: string[] = [];
  for (let done = 0; done < count; done += documentsPerTransaction) {
    await transact(library.app.db, installation, async () => {
      for (let index = 0; index < Math.min(documentsPerTransaction, count - done); index++) {
        const text = generator.text();
        if (texts.length < 1000) texts.push(text);
        await library.put(base, { title: generator.title(), text });
      }
    });
  }
  return { base, nextQuestion: () => generator.question(texts) };
}

/** Milliseconds for each question, in ascending order. */
type Durations = { wall: number[]; cpu: number[] };

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function measure(library: Library, pick: (index: number) => FilledBase): Promise<Durations> {
  const [wall, cpu]: number[][] = [[], []];
  for (let index = 0; index < questions + warmUpQuestions; index++) {
    const { base, nextQuestion } = pick(index);
    const question = nextQuestion();
    const [startedAt, cpuBefore] = [performance.now(), cpuMs()];
    await library.ask(base, question);
    if (index < warmUpQuestions) continue;
    wall!.push(performance.now() - startedAt);
    cpu!.push(cpuMs() - cpuBefore);
  }
  return { wall: wall!.toSorted((a, b) => a - b), cpu: cpu!.toSorted((a, b) => a - b) };
}

const percentile = (durations: readonly number[], share: number): number =>
  durations[Math.floor(durations.length * share)]!;

/** The rows include CPU time, which is more reliable than wall time on a busy machine. */
function rowsOf(what: string, { wall, cpu }: Durations): Row[] {
  return [
    { what: `${what}: p50`, parley: percentile(wall, 0.5), unit: 'ms', digits: 1 },
    { what: `${what}: p95`, parley: percentile(wall, 0.95), unit: 'ms', digits: 1, target: { atMost: 30 } },
    { what: `${what}: CPU p50`, parley: percentile(cpu, 0.5), unit: 'ms', digits: 1 },
    { what: `${what}: CPU p95`, parley: percentile(cpu, 0.95), unit: 'ms', digits: 1 },
  ];
}

const library = await openLibrary();
const startedAt = performance.now();
const largeBase = await fillBase(library, documents);
const msPerDocument = (performance.now() - startedAt) / documents;
const smallBase = await fillBase(library, smallBaseDocuments);
const rows = [
  { what: 'adding a document', parley: msPerDocument, unit: 'ms', digits: 2 },
  ...rowsOf(`one base of ${documents}`, await measure(library, () => largeBase)),
  ...rowsOf(`one base of ${smallBaseDocuments} beside it`, await measure(library, () => smallBase)),
];
const bases = [smallBase];
while (bases.length < smallBases) bases.push(await fillBase(library, smallBaseDocuments));
rows.push(
  ...rowsOf(
    `${smallBases} bases of ${smallBaseDocuments} beside it`,
    await measure(library, (turn) => bases[turn % bases.length]!),
  ),
);
await library.close();
report(`questions to knowledge bases, ${questions} each`, rows, [
  'each question has eight words, one of them misspelled; documents have 300 to 700 words',
]);
