import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { docxOf, pptxOf, wordParagraph, xlsxOf } from '../../support/documents/office.ts';
import { linesAt, pdfOf } from '../../support/documents/pdf.ts';
import {
  aBase,
  addFile,
  addSources,
  type Added,
  ask,
  assertComplete,
  documentsOf,
  settled,
  startKnowledgeServer,
  theBase,
} from '../../support/knowledge.ts';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { type Answer, type Data, dataOf, faultPaths } from '../../support/server.ts';

const server = await startKnowledgeServer();
after(() => server.stop());

const base = await aBase(server);
const add = (body: unknown, options?: { headers: Record<string, string> }): Promise<Answer<Added>> =>
  server.post<Added>(`/rag/knowledge-base/${base}/add-sources`, body, options);
const sourceIds = async (): Promise<string[]> =>
  (await theBase(server, base)).knowledge_base_sources.map(({ source_id }) => source_id);

test('texts are added at once and processed in the background', async () => {
  const texts = [{ title: ' Returns ', text: 'Within 30 days.' }];
  const { knowledge_base: added, url_sources: sites } = dataOf(await add({ knowledge_base_texts: texts }));
  assert.deepEqual(sites, []);
  assert.deepEqual(Object.keys(added).toSorted(), [
    'created_timestamp',
    'enable_auto_refresh',
    'knowledge_base_id',
    'knowledge_base_name',
    'knowledge_base_sources',
    'last_updated_timestamp',
    'status',
    'version',
  ]);
  assert.equal(added.status, 'in_progress');
  const [source] = added.knowledge_base_sources;
  assert.deepEqual(source, {
    source_id: source!.source_id,
    source_type: 'text',
    source_name: 'Returns',
    source_url: null,
    source_status: 'pending',
    error: null,
    pages_waiting: 0,
    created_timestamp: Date.parse('2026-03-02T09:00:00Z'),
    updated_timestamp: Date.parse('2026-03-02T09:00:00Z'),
  });
  assertComplete(await settled(server, base));
});

test('either all entries of a request are added or none', async () => {
  const before = await sourceIds();
  const text = { title: 'Fine', text: 'Nothing wrong with it.' };
  const faulty: Array<[body: unknown, paths: string[]]> = [
    [{}, ['knowledge_base_texts', 'knowledge_base_urls']],
    [{ knowledge_base_texts: [], knowledge_base_urls: [] }, ['knowledge_base_texts', 'knowledge_base_urls']],
    [{ knowledge_base_texts: [text, { title: 'No text' }] }, ['knowledge_base_texts[1].text']],
    [
      { knowledge_base_texts: [text, { title: '', text: ' ' }] },
      ['knowledge_base_texts[1].text', 'knowledge_base_texts[1].title'],
    ],
    [{ knowledge_base_texts: [{ ...text, language: 'en' }] }, ['knowledge_base_texts[0].language']],
    [{ knowledge_base_texts: [text], knowledge_base_urls: ['http://10.0.0.1/'] }, ['knowledge_base_urls[0]']],
    [
      { knowledge_base_texts: [{ title: 'x' }], knowledge_base_urls: ['nowhere'] },
      ['knowledge_base_texts[0].text', 'knowledge_base_urls[0]'],
    ],
    [{ knowledge_base_texts: text }, ['knowledge_base_texts']],
    [{ knowledge_base_text: [text] }, ['knowledge_base_text']],
    [{ knowledge_base_texts: Array.from({ length: 51 }, () => text) }, ['knowledge_base_texts']],
    [
      { knowledge_base_urls: Array.from({ length: 51 }, (_, index) => `https://example.com/${index}`) },
      ['knowledge_base_urls'],
    ],
    [{ knowledge_base_texts: [text, { title: 'Long', text: 'é'.repeat(524_289) }] }, ['knowledge_base_texts[1].text']],
  ];
  for (const [body, paths] of faulty) assert.deepEqual(faultPaths(await add(body)), paths);
  assert.deepEqual(await sourceIds(), before);
  const fitting = { knowledge_base_texts: [{ title: 'Long', text: 'é'.repeat(524_288) }] };
  dataOf(await add(fitting));
  assertComplete(await settled(server, base));
});

test('a body of more than 16 MiB, or one that is neither JSON nor a form, is refused', async () => {
  const large = { knowledge_base_texts: [{ title: 'x', text: 'x'.repeat(16_777_216) }] };
  const tooLarge = await add(large);
  assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  const other = await add('Some text', { headers: { 'content-type': 'text/plain' } });
  assert.deepEqual([other.status, other.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
  assert.match(other.body.message, /application\/json.*multipart\/form-data/);
});

const filler = Array.from(
  { length: 40 },
  (_, line) => `Line ${line} says nothing about it, at some length and in many words.`,
);

const files: Record<string, [name: string, bytes: Uint8Array | string, question: string, page: number | null]> = {
  pdf: [
    'manual.bin',
    pdfOf([linesAt(800, filler), linesAt(800, [...filler, 'The pump needs oil every month.'])]),
    'oil for the pump',
    2,
  ],
  docx: ['letter', docxOf(wordParagraph('Dogs are welcome in the garden.')), 'dogs in the garden', null],
  pptx: [
    'slides.pdf',
    pptxOf([{ title: 'Plans', points: ['The pool opens in June.'] }]),
    'When does the pool open?',
    1,
  ],
  xlsx: [
    'prices.txt',
    xlsxOf([
      {
        name: 'Prices',
        rows: [
          ['Item', 'Euros'],
          ['Umbrella', 12],
        ],
      },
    ]),
    'price of an umbrella',
    null,
  ],
  csv: ['stock.csv', 'item;shelf\nladder;B7\nbucket;C2\n', 'shelf of the ladder', null],
  html: [
    'page.html',
    '<!doctype html><title>Cafe</title><p>The cafe closes at six.',
    'When does the cafe close?',
    null,
  ],
  md: ['notes.md', '# Library\n\nBooks are lent for a month.', 'How long are books lent?', null],
  txt: ['plain.txt', 'The lift is out of order.', 'lift', null],
};

for (const [format, [name, bytes, question, page]] of Object.entries(files)) {
  test(`a file is read by its content: ${format} named ${name}`, async () => {
    const id = await aBase(server);
    const { knowledge_base: added, url_sources: sites } = dataOf(await addFile(server, id, bytes, name));
    assert.deepEqual(sites, []);
    assert.deepEqual(
      added.knowledge_base_sources.map(({ source_type, source_name, source_status }) => [
        source_type,
        source_name,
        source_status,
      ]),
      [['file', name, 'pending']],
    );
    const read = await settled(server, id);
    assertComplete(read);
    const [found] = await ask(server, id, question);
    assert.deepEqual([found?.source_name, found?.page], [name, page]);
    const [document] = await documentsOf(server, id);
    assert.equal(document!.status, 'complete');
    assert.ok(document!.text!.length > 0);
  });
}

test('a file with unsupported content is refused, whatever its name, and adds nothing', async () => {
  const id = await aBase(server);
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802', 'hex');
  for (const [bytes, name] of [
    [png, 'picture.pdf'],
    [Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]), 'notes.txt'],
    [Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), 'empty.docx'],
  ] as const) {
    const answer = await addFile(server, id, bytes, name, 'application/pdf');
    assert.deepEqual([answer.status, answer.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], name);
  }
  assert.deepEqual(faultPaths(await addFile(server, id, '', 'empty.txt')), ['file']);
  assert.deepEqual((await theBase(server, id)).knowledge_base_sources, []);
  const unknown = await addFile(server, randomUUID(), png, 'picture.pdf');
  assert.equal(unknown.status, 415, 'the format is checked before the base');
  assert.equal((await addFile(server, randomUUID(), 'Text', 'text.txt')).status, 404);
  const rows = await server.running.app.db.selectFrom('knowledge_file_pieces').select('document_id').execute();
  assert.deepEqual(rows, []);
});

test('a malformed form is refused with a clear message', async () => {
  const send = (body: string) => add(body, { headers: { 'content-type': 'multipart/form-data; boundary=b' } });
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nHello`;
  const whole = (name: string) => `${part(name)}\r\n--b--\r\n`;
  const errorOf = async (body: string): Promise<string> => {
    const answer = await send(body);
    assert.equal(answer.status, 400);
    return JSON.stringify(answer.body);
  };
  assert.match(await errorOf(part('a.txt')), /it is cut off, or not divided by the boundary/);
  assert.match(await errorOf('Hello'), /it is cut off, or not divided by the boundary/);
  assert.match(await errorOf(''), /application\/json, or a file/);
  assert.match(await errorOf(whole('a\0b.txt')), /has a name that must not contain the NUL character/);
  assert.equal((await send(whole('a b.txt'))).status, 200);
});

test('a long title or file name is shortened without splitting a character', async () => {
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_texts: [{ title: '😀'.repeat(500), text: 'Whales.' }] });
  dataOf(await addFile(server, id, 'Whales.', `${'x'.repeat(498)}😀😀.txt`));
  const { knowledge_base_sources: sources } = await settled(server, id);
  assert.deepEqual(sources.map(({ source_name }) => source_name).toSorted(), [
    `${'x'.repeat(498)}…`,
    `${'😀'.repeat(249)}…`,
  ]);
});

test('a form must have exactly one part, the file', async () => {
  const form = (...parts: Array<[string, string | File]>) => {
    const made = new FormData();
    for (const [name, value] of parts) made.append(name, value);
    return add(made);
  };
  const file = new File(['Text'], 'text.txt');
  assert.deepEqual(faultPaths(await form()), ['file']);
  assert.deepEqual(faultPaths(await form(['files', file])), ['file', 'files']);
  assert.deepEqual(faultPaths(await form(['file', file], ['title', 'x'])), ['title']);
  assert.deepEqual(faultPaths(await form(['file', file], ['file', file])), ['file']);
});

test('an unreadable file fails with a reason and does not affect other sources', async () => {
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_texts: [{ title: 'Fine', text: 'All is well.' }] });
  const whole = pdfOf([linesAt(700, ['It says something.'])]);
  const bad: Array<[name: string, bytes: Uint8Array, reason: RegExp]> = [
    ['scan.pdf', pdfOf([[]]), /text/i],
    ['cut.pdf', whole.subarray(0, 60), /./],
    ['cut.docx', docxOf(wordParagraph('Dogs are welcome.')).subarray(0, -60), /./],
  ];
  for (const [name, bytes] of bad) dataOf(await addFile(server, id, bytes, name));
  const read = await settled(server, id);
  assert.equal(read.status, 'complete');
  for (const [name, , reason] of bad) {
    const source = read.knowledge_base_sources.find(({ source_name }) => source_name === name)!;
    assert.equal(source.source_status, 'error', name);
    assert.match(source.error!, reason);
    const document = (await documentsOf(server, id)).find(({ error }) => error === source.error);
    assert.equal(document?.status, 'error');
  }
  const [fine] = await ask(server, id, 'well');
  assert.equal(fine!.source_name, 'Fine');
});

test('a file above the size limit is refused during the upload', async () => {
  const small = await startKnowledgeServer({ settings: { 'http.body_limits.file': '100000' } });
  try {
    const id = await aBase(small);
    const fits = await addFile(small, id, 'word '.repeat(20_000), 'fits.txt');
    assert.equal(fits.status, 200, fits.text);
    const large = await addFile(small, id, 'word '.repeat(20_001), 'large.txt');
    assert.deepEqual([large.status, large.body.code], [413, 'PAYLOAD_TOO_LARGE']);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        const head = sent === 1 ? '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' : '';
        controller.enqueue(Buffer.from(head + 'word '.repeat(2000)));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const cut = await small
      .post(`/rag/knowledge-base/${id}/add-sources`, endless, { headers })
      .then(({ status }) => status)
      .catch(() => 413); // the connection may be gone before the answer is read
    assert.equal(cut, 413);
    assert.equal((await theBase(small, id)).knowledge_base_sources.length, 1);
  } finally {
    await small.stop();
  }
});

/** One organization may use half of the 32 uploads that src/http/input/uploads.ts allows at a time. */
const uploadsAtOnce = 16;

test('an upload above the concurrency limit gets 503, and the others succeed', async () => {
  const id = await aBase(server);
  const senders = Array.from({ length: uploadsAtOnce + 1 }, (_, index) => {
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${index}.txt"\r\n\r\nText ${index}`;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const write = (text: string) => writer.write(Buffer.from(text)).catch(() => undefined); // nobody reads the refused upload
    void write(head);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = server.post<Added>(`/rag/knowledge-base/${id}/add-sources`, readable, { headers });
    return {
      answer,
      finish: () =>
        write('\r\n--x--\r\n')
          .then(() => writer.close())
          .catch(() => undefined),
    };
  });
  const refused = await Promise.race(senders.map(({ answer }) => answer));
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'], refused.text);
  await Promise.all(senders.map(({ finish }) => finish()));
  const statuses = (await Promise.all(senders.map(({ answer }) => answer))).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [...Array.from({ length: uploadsAtOnce }, () => 200), 503],
  );
  assert.equal((await addFile(server, id, 'There is room.', 'last.txt')).status, 200);
  assertComplete(await settled(server, id));
});

const passagesOf = (documentId: string) =>
  server.running.app.db.selectFrom('retrieval_passages').select('id').where('document_id', '=', documentId).execute();

const sectionsOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `## Section ${index}\n\nThe machine number ${index} is kept in hall ${index % 7}, ${'and so on '.repeat(30)}.`,
  ).join('\n\n');

test('a large file becomes searchable in parts while it is being read', async () => {
  const id = await aBase(server);
  // Long enough to be seen half-read on a busy machine.
  dataOf(await addFile(server, id, sectionsOf(1000), 'large.md'));
  const [document] = await documentsOf(server, id);
  const seen = new Set<number>();
  const look = async (): Promise<void> => {
    seen.add((await passagesOf(document!.doc_id)).length);
    await nextMacrotask();
  };
  const end = settled(server, id);
  while ((await Promise.race([end, look()])) === undefined);
  await look();
  assert.ok(Math.max(...seen) >= 1000);
  assert.ok(seen.size > 3, `seen: ${[...seen].join(', ')}`);
});

test('a large file is indexed completely and deleted completely', async () => {
  const id = await aBase(server);
  dataOf(await addFile(server, id, sectionsOf(400), 'large.md'));
  const read = await settled(server, id);
  assertComplete(read);
  for (const number of [0, 199, 399]) {
    const found = await ask(server, id, `Section ${number}: where is machine number ${number} kept?`, 10);
    assert.ok(
      found.some(({ heading }) => heading === `Section ${number}`),
      `section ${number}`,
    );
  }
  const passages = () => passagesOf(document!.doc_id);
  const [document] = await documentsOf(server, id);
  assert.ok((await passages()).length >= 400);
  dataOf(await server.del(`/rag/knowledge-base/${id}/sources/${read.knowledge_base_sources[0]!.source_id}`));
  assert.deepEqual(await ask(server, id, 'machine'), []);
  await settled(server, id);
  assert.deepEqual(await passages(), []);
});

test('a source is deleted once, with its documents', async () => {
  const id = await aBase(server);
  const { knowledge_base: added } = await addSources(server, id, {
    knowledge_base_texts: [
      { title: 'One', text: 'The first.' },
      { title: 'Two', text: 'The second.' },
    ],
  });
  const [one] = added.knowledge_base_sources;
  const path = `/rag/knowledge-base/${id}/sources/${one!.source_id}`;
  assert.equal((await server.del(`/rag/knowledge-base/${await aBase(server)}/sources/${one!.source_id}`)).status, 404);
  dataOf(await server.del(path));
  assert.equal((await server.del(path)).status, 404);
  const left = await settled(server, id);
  assert.deepEqual(
    left.knowledge_base_sources.map(({ source_name }) => source_name),
    ['Two'],
  );
  assert.deepEqual(
    (await ask(server, id, 'first or second')).map(({ text }) => text),
    ['The second.'],
  );
});

test('repeating a request with the same Idempotency-Key adds texts and files once', async () => {
  const id = await aBase(server);
  const path = `/rag/knowledge-base/${id}/add-sources`;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { knowledge_base_texts: [{ title: 'Once', text: 'Only once.' }] };
  const [first, second] = [await server.post(path, body, { headers }), await server.post(path, body, { headers })];
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal(second.text, first.text);
  const fileHeaders = { 'idempotency-key': randomUUID() };
  const send = (text: string, name: string) => {
    const form = new FormData();
    form.append('file', new File([text], name));
    return server.post(path, form, { headers: fileHeaders });
  };
  assert.equal((await send('Only once, too.', 'once.txt')).status, 200);
  assert.equal((await send('Only once, too.', 'once.txt')).headers.get('idempotency-replayed'), 'true');
  assert.equal((await send('Something else.', 'once.txt')).status, 422);
  assert.equal((await theBase(server, id)).knowledge_base_sources.length, 2);
});

test('the audit log names what was added and removed, without its content', async () => {
  const id = await aBase(server);
  const { knowledge_base: added } = await addSources(server, id, {
    knowledge_base_texts: [{ title: 'Confidential', text: 'Nobody must know.' }],
  });
  const sourceId = added.knowledge_base_sources[0]!.source_id;
  await ask(server, id, 'What must nobody know?');
  dataOf(await server.del(`/rag/knowledge-base/${id}/sources/${sourceId}`));
  const log = await server.get<Array<Data & { operation: string; target: Record<string, string> }>>('/audit?limit=3');
  assert.deepEqual(
    dataOf(log).map(({ operation, target }) => [operation, target]),
    [
      ['deleteKnowledgeSource', { kb_id: id, source_id: sourceId }],
      ['addKnowledgeSources', { kb_id: id }],
      ['createKnowledgeBase', { knowledge_base_id: id }],
    ],
  );
  assert.doesNotMatch(log.text, /Confidential|Nobody/);
});
