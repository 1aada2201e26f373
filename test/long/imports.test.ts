import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { xlsxOf } from '../support/documents/office.ts';
import { sheetType } from '../support/messy-files.ts';
import { type Answer, type Client, type Data, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Imported = { created: number; updated: number; rejected: unknown[]; total: number };

const countOf = async (client: Client): Promise<number> => (await client.get<Data[]>('/contacts/')).body.meta.total;

/** A chunked request body, whose length is unknown until it ends. */
const streamOf = (pieces: Iterable<string>): ReadableStream =>
  ReadableStream.from(
    (function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    })(),
  );

test('a large import uses little memory, and other requests are answered meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const usedMemory = (): number => {
    // The second collection waits until the buffers that the first has found are freed, which V8 does on another thread.
    gc();
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const client = await server.newOrganization();
  const filler = 'x'.repeat(100);
  const rows = function* (): Generator<string> {
    yield 'phone,first_name,company,a,b,c\n';
    for (let row = 0; row < 20_000; row += 100) {
      const phones = Array.from({ length: 100 }, (_, index) => `+4930${3_000_000 + row + index}`);
      yield phones.map((phone) => `${phone}${`,${filler}`.repeat(5)}\n`).join('');
    }
  };
  const before = usedMemory();
  const seenCounts: number[] = [];
  let peak = before;
  let answer: Answer<Imported> | undefined;
  const headers = { 'content-type': 'text/csv' };
  const importing = client
    .post<Imported>('/contacts/import', streamOf(rows()), { headers })
    .then((got) => (answer = got));
  while (!answer) {
    const count = await countOf(client);
    if (count < (seenCounts.at(-1) ?? 0) + 2000) continue;
    seenCounts.push(count);
    peak = Math.max(peak, usedMemory());
  }
  await importing;
  const { created, updated, rejected, total } = dataOf(answer);
  assert.deepEqual({ created, updated, rejected, total }, { created: 20_000, updated: 0, rejected: [], total: 20_000 });
  assert.ok(
    seenCounts.length > 3,
    `only ${seenCounts.length} requests were answered, at ${seenCounts.join()} contacts`,
  );
  assert.ok(peak - before < 8 * 1_048_576, `a file of 10 MB took ${peak - before} bytes of memory`);
  const rowsOut = (await client.get('/contacts/export')).text.split('\r\n').length - 2;
  assert.equal(rowsOut, 20_000);
});

test('a sheet of 20,000 rows is imported while other requests are answered', async () => {
  const client = await server.newOrganization();
  const rows = Array.from({ length: 20_000 }, (_, row) => [`Name ${row}`, 493_000_000_000 + row, `c${row % 50}`]);
  const bytes = xlsxOf([{ name: 'S', rows: [['First Name', 'Phone', 'Company'], ...rows] }]);
  const seen: number[] = [];
  let answer: Answer<Imported> | undefined;
  const headers = { 'content-type': sheetType };
  const importing = client
    .post<Imported>('/contacts/import?default_country=DE', bytes, { headers })
    .then((got) => (answer = got));
  while (!answer) {
    const count = await countOf(client);
    if (count > (seen.at(-1) ?? 0)) seen.push(count);
  }
  await importing;
  assert.deepEqual([dataOf(answer).created, dataOf(answer).rejected], [20_000, []]);
  assert.ok(seen.length > 5, `counts were seen at ${seen.join()}`);
});
