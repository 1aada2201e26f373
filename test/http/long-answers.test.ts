// Long: it makes answers of many megabytes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { aContact, anAgent } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const mebibyte = 1_048_576;
const maxPageBytes = 8 * mebibyte;

/** Reads a list page by page, as `meta.limit` says, and checks each page. */
async function readAll(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await server.get<Data[]>(`${path}?limit=500&offset=${ids.length}`);
    const rows = dataOf(page);
    assert.ok(Buffer.byteLength(page.text) <= maxPageBytes, `${Buffer.byteLength(page.text)} bytes`);
    ids.push(...rows.map((row) => (row['doc_id'] ?? row.id) as string));
    if (ids.length >= page.body.meta.total) return ids;
    assert.equal(page.body.meta.limit, rows.length);
    assert.ok(rows.length > 0);
  }
}

test('a page of large rows ends before it exceeds 8 MiB, and the next one goes on', async () => {
  const contacts: string[] = [];
  for (let count = 0; count < 20; count += 1) contacts.push((await aContact(server)).id);
  // Written directly to the database: requests have a lower limit for metadata.
  const metadata = JSON.stringify({ pad: '0'.repeat(mebibyte) });
  await sql`UPDATE contacts SET metadata = ${metadata}`.execute(server.running.app.db);
  assert.deepEqual(await readAll('/contacts/'), contacts.toReversed());
  const lines = (await server.get('/contacts/export')).text.trim().split('\n');
  assert.equal(lines.length, 21);
});

test('a page ends early, too, if only its JSON exceeds the limit and its rows do not', async () => {
  const agents: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    agents.push((await anAgent(server, { prompt: '\u0001'.repeat(65_536) })).id);
  }
  assert.deepEqual(await readAll('/agents/'), agents.toReversed());
});
