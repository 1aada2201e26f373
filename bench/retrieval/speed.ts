/**
 * How long a question takes, where 20,000 documents are in one knowledge base, and where they are in many.
 *
 *   npm run bench:retrieval:speed [-- --quick] [-- --documents 20000]
 */
import { parseArgs } from 'node:util';
import { transact } from '../../src/db/transaction.ts';
import { type Library, openLibrary } from '../../test/support/library.ts';
import { quick, report, type Row } from '../support/report.ts';
import { createProse } from './prose.ts';

const { values } = parseArgs({ options: { documents: { type: 'string' }, quick: { type: 'boolean' } } });
const documents = Number(values.documents ?? (quick ? 2000 : 20_000));
const questions = quick ? 100 : 500;
const small = 100;
const smallBases = quick ? 5 : 50;
/** Documents put in one transaction. */
const atOnce = 50;
const prose = createProse(7);

type Filled = { base: string; ask: () => string };

async function fill(library: Library, count: number): Promise<Filled> {
  const base = await library.aBase();
  const texts: string[] = [];
  for (let done = 0; done < count; done += atOnce) {
    await transact(library.app.db, async () => {
      for (let index = 0; index < Math.min(atOnce, count - done); index++) {
        const text = prose.text();
        if (texts.length < 1000) texts.push(text);
        await library.put(base, { title: prose.title(), text });
      }
    });
  }
  return { base, ask: () => prose.question(texts) };
}

type Times = { wall: number[]; cpu: number[] };

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function timesOf(library: Library, pick: (index: number) => Filled): Promise<Times> {
  const [wall, cpu]: number[][] = [[], []];
  for (let index = 0; index < questions + 20; index++) {
    const { base, ask } = pick(index);
    const question = ask();
    const [startedAt, usedBefore] = [performance.now(), cpuMs()];
    await library.ask(base, question);
    if (index < 20) continue;
    wall!.push(performance.now() - startedAt);
    cpu!.push(cpuMs() - usedBefore);
  }
  return { wall: wall!.toSorted((a, b) => a - b), cpu: cpu!.toSorted((a, b) => a - b) };
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)]!;

/** On a machine that has other things to do, CPU time tells more than what passed. */
function rowsOf(what: string, { wall, cpu }: Times): Row[] {
  return [
    { what: `${what}: p50`, parley: at(wall, 0.5), unit: 'ms', digits: 1 },
    { what: `${what}: p95`, parley: at(wall, 0.95), unit: 'ms', digits: 1, target: { atMost: 30 } },
    { what: `${what}: CPU p50`, parley: at(cpu, 0.5), unit: 'ms', digits: 1 },
    { what: `${what}: CPU p95`, parley: at(cpu, 0.95), unit: 'ms', digits: 1 },
  ];
}

const library = await openLibrary();
const startedAt = performance.now();
const huge = await fill(library, documents);
const put = (performance.now() - startedAt) / documents;
const few = await fill(library, small);
const rows = [
  { what: 'putting a document', parley: put, unit: 'ms', digits: 2 },
  ...rowsOf(`one base of ${documents}`, await timesOf(library, () => huge)),
  ...rowsOf(`one base of ${small} beside it`, await timesOf(library, () => few)),
];
const many = [few];
while (many.length < smallBases) many.push(await fill(library, small));
rows.push(
  ...rowsOf(`${smallBases} bases of ${small} beside it`, await timesOf(library, (turn) => many[turn % many.length]!)),
);
await library.close();
report(`questions to knowledge bases, ${questions} each`, rows, [
  'each has eight words, one of them misspelt; documents have 300 to 700 words',
]);
