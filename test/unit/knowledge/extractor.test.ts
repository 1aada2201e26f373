import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { AppError } from '../../../src/base/errors.ts';
import { ExtractionError } from '../../../src/extraction/errors.ts';
import type { ExtractInput } from '../../../src/extraction/model.ts';
import type { Extractor, LazyInput } from '../../../src/features/knowledge/reading/extractor.ts';
import { createExtractor } from '../../../src/features/knowledge/reading/pool.ts';
import { startThread } from '../../../src/features/knowledge/reading/thread.ts';
import { docxOf, pptxOf, wordParagraph, xlsxOf } from '../../support/documents/office.ts';
import { mutated } from '../../support/documents/mutations.ts';
import { linesAt, pdfOf, pdfWithContent } from '../../support/documents/pdf.ts';

const settings = { workers: 2, memory_mb: 256, timeout_ms: 60_000, max_text_chars: 1_000_000 };
const never = new AbortController().signal;
const note = (text: string): ExtractInput => ({ bytes: Buffer.from(text), name: 'a.txt' });
const unavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable';

/** Creates an extractor that is closed after the test file, and records the threads it starts. */
function startExtractor(
  over: Partial<typeof settings> = {},
  idleMs?: number,
): { extractor: Extractor; threads: Worker[] } {
  const threads: Worker[] = [];
  const record = (message: unknown): void => void threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', record);
  const extractor = createExtractor({ ...settings, ...over }, idleMs === undefined ? {} : { idleMs });
  after(async () => {
    unsubscribe('worker_threads', record);
    await extractor.close();
  });
  return { extractor, threads };
}

test('documents are read in threads, started on demand up to the limit', async () => {
  const { extractor, threads } = startExtractor();
  assert.equal(threads.length, 0);
  const texts = Array.from({ length: 12 }, (_, index) => `This is text ${index}.`);
  const read = await Promise.all(texts.map((text) => extractor.extract('acme', note(text), never)));
  assert.deepEqual(
    read.map(({ text }) => text),
    texts,
  );
  assert.equal(threads.length, 2);
});

test("the caller's bytes are not modified", async () => {
  const { extractor } = startExtractor({ workers: 1 });
  const bytes = pdfOf([linesAt(700, ['Hello'])]);
  const before = Buffer.from(bytes);
  assert.equal((await extractor.extract('acme', { bytes }, never)).text, 'Hello');
  assert.deepEqual(bytes, before);
});

test('an idle thread ends, and another starts for the next document', async () => {
  const { extractor, threads } = startExtractor({ workers: 1 }, 1);
  await extractor.extract('acme', note('One.'), never);
  await once(threads[0]!, 'exit');
  assert.equal((await extractor.extract('acme', note('Two.'), never)).text, 'Two.');
  assert.equal(threads.length, 2);
});

test('a thread that cannot start fails its document only, and keeps no slot', async () => {
  let failures = 2;
  const extractor = createExtractor(
    { ...settings, workers: 1 },
    {
      startThread(limits) {
        if (failures-- > 0) throw new Error('no thread');
        return startThread(limits);
      },
    },
  );
  after(() => extractor.close());
  for (const text of ['One.', 'Two.']) {
    await assert.rejects(extractor.extract('acme', note(text), never), new Error('no thread'));
  }
  assert.equal((await extractor.extract('acme', note('Three.'), never)).text, 'Three.');
});

test('a document that takes too long is refused, and the next one is read', async () => {
  const { extractor } = startExtractor({ workers: 1, timeout_ms: 1500 });
  const [slow, quick] = [
    extractor.extract('acme', { bytes: Buffer.from('> '.repeat(2_000_000)), name: 'a.md' }, never),
    extractor.extract('acme', note('Quick.'), never),
  ];
  await assert.rejects(slow, new ExtractionError('Reading it takes longer than 1.5 s; divide it into smaller files.'));
  assert.equal((await quick).text, 'Quick.');
});

test('a document that needs too much memory, in objects or in buffers, is refused, and the next one is read', async () => {
  const { extractor } = startExtractor({ workers: 1, memory_mb: 48, max_text_chars: 100_000_000 });
  const large = [
    { bytes: Buffer.from('word,number,note\n'.repeat(500_000)), name: 'a.csv' },
    { bytes: pdfWithContent(deflateSync(Buffer.alloc(100 * 2 ** 20)), '/Filter/FlateDecode') },
  ];
  const tooLarge = new ExtractionError('Reading it needs more memory than 48 MiB; divide it into smaller files.');
  for (const document of large) {
    const [refused, small] = [
      extractor.extract('acme', document, never),
      extractor.extract('acme', note('Small.'), never),
    ];
    await assert.rejects(refused, tooLarge);
    assert.equal((await small).text, 'Small.');
  }
});

test('an aborted request is rejected with its reason: before it starts, in the queue, and while it runs', async () => {
  const { extractor } = startExtractor({ workers: 1 });
  const reason = new Error('the job was cancelled');
  await assert.rejects(extractor.extract('acme', note('No.'), AbortSignal.abort(reason)), reason);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const read = extractor.extract('acme', { bytes: Buffer.from('> '.repeat(2_000_000)), name: 'a.md' }, running.signal);
  const waits = extractor.extract('acme', note('Waits.'), waiting.signal);
  const last = extractor.extract('acme', note('Last.'), never);
  waiting.abort(reason);
  await assert.rejects(waits, reason);
  running.abort(reason);
  await assert.rejects(read, reason);
  assert.equal((await last).text, 'Last.');
});

test('when the queue is full, the next document is refused as unavailable', async () => {
  const { extractor } = startExtractor({ workers: 1 });
  const reads = Array.from({ length: 65 }, () => extractor.extract('acme', note('Wait.'), never));
  await assert.rejects(extractor.extract('acme', note('One more.'), never), unavailable);
  assert.equal((await Promise.all(reads)).length, 65);
});

test('a document whose bytes would fill the queue is refused as unavailable; one that is loaded later is queued', async () => {
  const { extractor } = startExtractor({ workers: 1 });
  const large = (): ExtractInput => ({ bytes: Buffer.alloc(40 * 2 ** 20), name: 'a.txt' });
  const order: string[] = [];
  const first = extractor.extract('acme', note('First.'), never).then(() => order.push('first was read'));
  const waits = extractor.extract('acme', large(), never);
  await assert.rejects(extractor.extract('acme', large(), never), unavailable);
  const later = extractor.extract(
    'acme',
    () => {
      order.push('second was loaded');
      return Promise.resolve({ bytes: new TextEncoder().encode('Second.'), name: 'b.txt' });
    },
    never,
  );
  await assert.rejects(waits, ExtractionError); // its bytes are zeros, which are not text
  assert.equal((await later).text, 'Second.');
  await first;
  assert.deepEqual(order, ['first was read', 'second was loaded']);
});

test('loading a queued document may fail, or the request may be aborted meanwhile', async () => {
  const { extractor } = startExtractor({ workers: 1 });
  const gone = new ExtractionError('It is gone.');
  await assert.rejects(
    extractor.extract('acme', () => Promise.reject(gone), never),
    gone,
  );
  const [reason, wanted] = [new Error('the job was cancelled'), new AbortController()];
  const fetching = (): ReturnType<LazyInput> => {
    wanted.abort(reason);
    return Promise.resolve({ bytes: new TextEncoder().encode('No.'), name: 'a.txt' });
  };
  await assert.rejects(extractor.extract('acme', fetching, wanted.signal), reason);
  assert.equal((await extractor.extract('acme', note('Last.'), never)).text, 'Last.');
});

test('closing ends the threads and rejects running, queued and new documents', async () => {
  const { extractor, threads } = startExtractor({ workers: 1 });
  const reads = [1, 2].map((number) => extractor.extract('acme', note(`${number}`), never));
  const outcomes = Promise.allSettled(reads);
  await extractor.close();
  for (const outcome of await outcomes) assert.ok(outcome.status === 'rejected' && unavailable(outcome.reason));
  await assert.rejects(extractor.extract('acme', note('Late.'), never), unavailable);
  assert.equal(threads[0]?.threadId, -1, 'the thread has ended');
});

test('no damaged file breaks the process or the next document', async () => {
  const { extractor } = startExtractor();
  const files = {
    pdf: pdfOf([linesAt(700, ['Hello', 'world']), linesAt(700, ['Page two'])], { packed: true, title: 'A' }),
    plainPdf: pdfOf([linesAt(700, ['Hello', 'world'])]),
    docx: docxOf(wordParagraph('Guide', 'berschrift1') + wordParagraph('Hello', 'Points')),
    xlsx: xlsxOf([
      {
        name: 'A',
        rows: [
          ['a', 1],
          ['b', true],
        ],
      },
    ]),
    pptx: pptxOf([{ title: 'A', points: ['x', ' y'], notes: 'z' }]),
  };
  for (const [format, file] of Object.entries(files)) {
    for (let seed = 1; seed <= 25; seed += 1) {
      const outcome = await extractor
        .extract('acme', { bytes: mutated(file, seed) }, never)
        .catch((error: unknown) => error);
      if (outcome instanceof Error)
        assert.ok(outcome instanceof ExtractionError, `${format}, seed ${seed}: ${outcome.stack}`);
    }
  }
  assert.equal((await extractor.extract('acme', note('Still here.'), never)).text, 'Still here.');
});
