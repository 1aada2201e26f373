/**
 * A PDF of 100 pages, from its upload until a question finds its last page, and what a small read takes meanwhile.
 *
 *   npm run bench:ingest [-- --quick]
 *
 * The server runs in a process of its own, from source. The read is one contact by its id, asked for over a few keep-alive
 * connections at a steady pace: alone, and then while one PDF after the other is read in. pdf.js alone, in this process, is beside.
 */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { getDocument } from 'unpdf/pdfjs';
import { linesAt, pdfOf } from '../test/support/documents/pdf.ts';
import { randomFrom } from '../test/support/documents/mutations.ts';
import { median, quick, report } from './support/report.ts';
import { serve } from './support/serve.ts';

const pages = 100;
const rounds = quick ? 2 : 7;
const connections = 4;
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
const headers = { 'x-api-key': parley.apiKey };

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${parley.url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (JSON.parse(text) as { data: T }).data;
}

const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
const base = await call<{ knowledge_base_id: string }>('POST', '/rag/knowledgebases', { name: 'Books' });
const basePath = `/rag/knowledge-base/${base.knowledge_base_id}`;

const needleOf = (seed: number): string => `needle${seed}`;

/** Made before anything is measured: making one would hold up this process, and with it the reads that it times. */
function formOf(seed: number): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(aBook(seed, needleOf(seed)))]), `book ${seed}.pdf`);
  return form;
}

/** @returns seconds from the upload until a question finds what stands on the last page */
async function ingest(seed: number, form: FormData): Promise<number> {
  const needle = needleOf(seed);
  const startedAt = performance.now();
  await call('POST', `${basePath}/add-sources`, form);
  for (;;) {
    const found = await call<Array<{ text: string; page: number }>>('POST', `${basePath}/query`, { query: needle });
    if (found[0]?.text.includes(needle)) {
      assert.equal(found[0].page, pages);
      return (performance.now() - startedAt) / 1000;
    }
    await setTimeout(pollMs);
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: connections });

function readOnce(): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(`${parley.url}/api/v1/contacts/${contact.id}`, { agent, headers }, (answer) => {
      assert.equal(answer.statusCode, 200);
      answer.resume().once('end', () => resolve(performance.now() - startedAt));
    }).once('error', reject);
  });
}

/** Asks at a steady pace until the work is done. */
async function latenciesWhile(work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let working = true;
  const done = work.finally(() => (working = false));
  const ask = async (): Promise<void> => {
    while (working) {
      latencies.push(await readOnce());
      await setTimeout(paceMs * connections);
    }
  };
  await Promise.all([done, ...Array.from({ length: connections }, ask)]);
  return latencies;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/** pdf.js without parley: every page's pieces of text, and nothing made of them. */
async function bareSeconds(seed: number): Promise<number> {
  const data = new Uint8Array(aBook(seed, 'needle'));
  const startedAt = performance.now();
  const task = getDocument({ data, disableFontFace: true, useSystemFonts: true });
  const document = await task.promise;
  for (let number = 1; number <= pages; number += 1) await (await document.getPage(number)).getTextContent();
  await task.destroy();
  return (performance.now() - startedAt) / 1000;
}

await latenciesWhile(setTimeout(quick ? 500 : 2000)); // warms up
const first = await ingest(0, formOf(0));
const ingested: number[] = [];
const bare: number[] = [];
const alone: number[] = [];
const beside: number[] = [];
for (let round = 1; round <= rounds; round++) {
  const form = formOf(round);
  alone.push(...(await latenciesWhile(setTimeout(2000))));
  beside.push(...(await latenciesWhile(ingest(round, form).then((seconds) => ingested.push(seconds)))));
  bare.push(await bareSeconds(round));
}
agent.destroy();
await parley.stop();

const latency = (what: string, share: number, target?: { atMost: number }) => ({
  what,
  bare: percentile(alone, share),
  parley: percentile(beside, share),
  unit: 'ms',
  digits: 1,
  ...(target ? { target } : {}),
});
report(
  `ingest: a PDF of ${pages} pages, beside pdf.js alone; a small read, beside the same without a PDF`,
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
      parley: median(ingested),
      unit: 's',
      digits: 2,
      target: { atMost: 2 },
    },
    { what: 'of it, what pdf.js takes by itself', parley: median(bare), unit: 's', digits: 2 },
    latency('read of a contact, median', 0.5),
    latency('read of a contact, p99', 0.99, { atMost: 1.5 }),
  ],
  [`${rounds} rounds; reads at a pace of ${1000 / paceMs} a second at most`],
);
