// Own process: it counts the commits of its process.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { aPhone } from '../support/fixtures.ts';
import { loggedBytes } from '../support/log-pages.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';
import { newCallingOrg } from './calling-support.ts';

// SQLite alone: counts SQLite's statements and bytes of its log.

const server = await startTestServer({ settings: { 'webhooks.allow_http_loopback': 'true' } });
let received = 0;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1;
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(async () => {
  await server.stop();
  receiver.close();
});

/** Few enough that the log is not copied and started over meanwhile. */
const calls = 20;
/**
 * Cost of a call from its tick to its delivered webhook under the test clock, where each step is a commit of its own. At full pace,
 * dozens of calls share a commit. Lower these numbers when a call gets cheaper.
 */
const maxStatements = 75;
const maxCommits = 8.5;
const maxLogBytes = 338 * 1024;

test('a call costs no more statements, commits and bytes of log than it did', async () => {
  const org = await newCallingOrg(server);
  const { port } = receiver.address() as AddressInfo;
  dataOf(await org.client.put(`/agents/${org.agentId}`, { webhook_url: `http://127.0.0.1:${port}/` }));
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 100, max_concurrent: 1000 }));
  const { id } = await org.campaign({ maxCps: 100, schedule: { maxConcurrent: 1000 } });
  const contacts = Array.from({ length: calls }, () => ({ phone: aPhone('00') }));
  dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contacts }));
  const { db } = server.running.app;
  const [main] = (await sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`.execute(db))
    .rows;
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
  assert.equal(loggedBytes(main!.file), 0);
  const statements = countStatements();
  dataOf(await org.client.patch(`/campaigns/${id}`, { status: 'active' }));
  await server.advance(120_000);
  statements.stop();
  assert.equal(received, calls);
  const bytes = loggedBytes(main!.file) / calls;
  const cost = {
    statements: statements.count() / calls,
    commits: statements.count(/^COMMIT/) / calls,
    bytes,
  };
  const message = `${JSON.stringify(cost)}\n${statements.list()}`;
  assert.ok(cost.statements <= maxStatements, message);
  assert.ok(cost.commits <= maxCommits, message);
  assert.ok(bytes > 0 && bytes <= maxLogBytes, message);
});
