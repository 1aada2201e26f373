/**
 * A PDF of 100 pages, from its upload until a question finds its last page, and what a small read takes meanwhile.
 *
 *   npm run bench:ingest [-- --quick]
 *
 * The server runs in a process of its own, from source. The read is one contact by its id, asked for at a steady pace over
 * keep-alive connections: alone, while one PDF after the other is read in, and as long beside pdf.js, which reads it in this process:
 * on two cores that tells how much of a difference is parley's. All the time the base is asked how far it is.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { linesAt, pdfOf } from '../test/support/documents/pdf.ts';
import { randomFrom } from '../test/support/documents/mutations.ts';
import { type Reading, readBare } from './support/pdf.ts';
import { medians, quick, report } from './support/report.ts';
import { serve } from './support/serve.ts';

const pages = 100;
const rounds = quick ? 3 : 15;
const paceMs = 5;
const pollMs = 20;

const syllables = ['ra', 'be', 'lo', 'ti', 'mun', 'ska', 'der', 'vo', 'pli', 'en', 'ga', 'zu'];

/** Forty-four lines of invented words a page under a heading; the last page has a word that no other has. */
function aBook(seed: number, needle: string): Buffer {
  const random = randomFrom(seed);
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      '',
    );
  const line = (): string => `${Array.from({ length: 11 }, word).join(' ')}${random() < 0.2 ? '.' : ''}`;
  const page = (number: number) => [
    ...linesAt(780, [`Chapter ${number}`], 18),
    ...linesAt(740, [...Array.from({ length: 43 }, line), number === pages ? `The word is ${needle}.` : line()]),
  ];
  return pdfOf(
    Array.from({ length: pages }, (_, index) => page(index + 1)),
    { packed: true },
  );
}

const parley = await serve(['--set', 'http.rate_limit.per_second=0']);
/** One for what is timed, one for the rest: what is timed waits for nothing but the server. */
const [timed, other] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];

type Body = { type: string; bytes: Buffer };

/** By hand, because fetch() takes as much of this process, where the reads are timed, as a small read takes in all. */
function call(agent: Agent, method: string, path: string, body?: Body): Promise<string> {
  const headers = {
    'x-api-key': parley.apiKey,
    ...(body ? { 'content-type': body.type, 'content-length': body.bytes.length } : {}),
  };
  return new Promise((resolve, reject) => {
    const asking = request(`${parley.url}/api/v1${path}`, { agent, method, headers }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .once('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    asking.once('error', reject).end(body?.bytes);
  });
}

const dataOf = (text: string): unknown => (JSON.parse(text) as { data: unknown }).data;
const post = async (path: string, body: object): Promise<unknown> =>
  dataOf(await call(other, 'POST', path, { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }));

const contact = (await post('/contacts', { first_name: 'Ada' })) as { id: string };
const base = (await post('/rag/knowledgebases', { name: 'Books' })) as { knowledge_base_id: string };
const basePath = `/rag/knowledge-base/${base.knowledge_base_id}`;

const needleOf = (seed: number): string => `needle${seed}`;

/** Made before anything is measured: making one would hold up this process, and with it the reads that it times. */
function formOf(seed: number): Body {
  const part = `--x\r\ncontent-disposition: form-data; name="file"; filename="book ${seed}.pdf"\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(part), aBook(seed, needleOf(seed)), Buffer.from('\r\n--x--\r\n')]);
  return { type: 'multipart/form-data; boundary=x', bytes };
}

/** Whether the base has read all that it was given: what its owner would ask meanwhile. */
const isRead = async (): Promise<boolean> =>
  (dataOf(await call(other, 'GET', basePath)) as { status: string }).status === 'complete';

/** @returns seconds from the upload until the PDF was read; a question then finds its last page */
async function ingest(seed: number, form: Body): Promise<number> {
  const startedAt = performance.now();
  await call(other, 'POST', `${basePath}/add-sources`, form);
  while (!(await isRead())) await wait(pollMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const needle = needleOf(seed);
  const [found] = (await post(`${basePath}/query`, { query: needle })) as Array<{ text: string; page: number }>;
  assert.ok(found);
  assert.ok(found.text.includes(needle));
  assert.equal(found.page, pages);
  return seconds;
}

/** Nothing but the questions for how far it is. */
async function waiting(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await isRead();
    await wait(pollMs);
  }
}

/** pdf.js, which reads the same PDF in a thread of this process: what two cores have to do for it whoever asks for it. */
async function readingFor(ms: number, seed: number): Promise<void> {
  const data: Reading = { bytes: aBook(seed, 'needle'), ms };
  const thread = new Worker(new URL('support/pdf.ts', import.meta.url), { workerData: data });
  await Promise.all([once(thread, 'exit'), waiting(ms)]);
}

async function readOnce(): Promise<number> {
  const startedAt = performance.now();
  await call(timed, 'GET', `/contacts/${contact.id}`);
  return performance.now() - startedAt;
}

/** Asks at a steady pace, whether the one before was answered or not, until the work is done. */
async function latenciesWhile(work: Promise<unknown>): Promise<number[]> {
  const reads: Array<Promise<number>> = [];
  const asking = setInterval(() => reads.push(readOnce()), paceMs);
  await work.finally(() => clearInterval(asking));
  return Promise.all(reads);
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

async function bareSeconds(seed: number): Promise<number> {
  const bytes = aBook(seed, 'needle');
  const startedAt = performance.now();
  await readBare(bytes);
  return (performance.now() - startedAt) / 1000;
}

await latenciesWhile(waiting(quick ? 500 : 2000)); // warms up
const first = await ingest(0, formOf(0));
const measured: Array<Record<'seconds' | 'bare' | `${'alone' | 'beside' | 'elsewhere'}${'50' | '99'}`, number>> = [];
for (let round = 1; round <= rounds; round++) {
  const form = formOf(round);
  let seconds = 0;
  const beside = await latenciesWhile(ingest(round, form).then((took) => (seconds = took)));
  const alone = await latenciesWhile(waiting(seconds * 1000));
  const elsewhere = await latenciesWhile(readingFor(seconds * 1000, round));
  measured.push({
    seconds,
    bare: await bareSeconds(round),
    alone50: percentile(alone, 0.5),
    alone99: percentile(alone, 0.99),
    beside50: percentile(beside, 0.5),
    beside99: percentile(beside, 0.99),
    elsewhere50: percentile(elsewhere, 0.5),
    elsewhere99: percentile(elsewhere, 0.99),
  });
}
timed.destroy();
other.destroy();
await parley.stop();

const figures = medians(measured);
const latency = (what: string, bare: number, value: number, target?: { atMost: number }) => ({
  what,
  bare,
  parley: value,
  unit: 'ms',
  digits: 1,
  ...(target ? { target } : {}),
});
report(
  `ingest: a PDF of ${pages} pages; a small read beside it, against the same without a PDF`,
  [
    {
      what: 'the first PDF of a server, until it is found',
      parley: first,
      unit: 's',
      digits: 2,
      target: { atMost: 2 },
    },
    {
      what: 'the next ones, until they are found',
      parley: figures.seconds,
      unit: 's',
      digits: 2,
      target: { atMost: 2 },
    },
    { what: 'of it, what pdf.js takes by itself', parley: figures.bare, unit: 's', digits: 2 },
    latency('a read beside it, median', figures.alone50, figures.beside50),
    latency('a read beside it, p99', figures.alone99, figures.beside99, { atMost: 1.5 }),
    latency('a read beside pdf.js in another process, median', figures.alone50, figures.elsewhere50),
    latency('a read beside pdf.js in another process, p99', figures.alone99, figures.elsewhere99),
    latency('a read beside it, against that, p99', figures.elsewhere99, figures.beside99),
  ],
  [`${rounds} rounds, of whose figures the median is shown; ${1000 / paceMs} reads a second`],
);
