/**
 * Reads every long list by cursor, 100,000 rows in pages of 500, while rows are added and deleted, and measures each page. Fails if a row
 * is shown twice, or if a row that was never deleted is not shown.
 *
 *   npm run bench:lists:walks [-- --quick] [-- --json]
 *
 * `--quick`: 10,000 rows. The last figure is the number of reads that held the main thread for more than 10 ms, from `/metrics`.
 */
import assert from 'node:assert/strict';
import { installation, transact } from '../src/db/transaction.ts';
import { createApiKey } from '../src/features/organizations/service.ts';
import { walk, walkedLists } from '../test/support/list-walks.ts';
import { fillDatabase } from '../test/support/many-rows.ts';
import { longStatements } from './support/long-statements.ts';
import { median, quick, report, type Row } from './support/report.ts';
import { startServer } from './support/server.ts';

const total = quick ? 10_000 : 100_000;
/** A page may cost at the end of its list this many times what it costs at the front. */
const maxRatio = 2;

const server = await startServer({ 'http.rate_limit.per_second': '0' });
const world = await fillDatabase(server.app.db, total);
const { apiKey } = await transact(server.app.db, installation, (tx) =>
  createApiKey(server.app, tx, world.orgId, { name: 'Bench', role: 'admin' }),
);
const headers = { 'x-api-key': apiKey };

const before = await longStatements({ url: server.url, headers });
const rows: Row[] = [];
for (const list of walkedLists(world)) {
  const times: number[] = [];
  await walk(server.app.db, world, list, {
    limit: 500,
    async get(path) {
      const startedAt = performance.now();
      const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
      const text = await answer.text();
      times.push(performance.now() - startedAt);
      assert.equal(answer.status, 200, text.slice(0, 300));
      return JSON.parse(text) as never;
    },
  });
  const part = Math.ceil(times.length / 4);
  const [front, end] = [median(times.slice(0, part)), median(times.slice(-part))];
  const what = list.path.replace(/\/campaigns\/[^/]+/, '/campaigns/{id}').replace(/\?$/, '');
  rows.push({ what, bare: front, parley: end, unit: 'ms', digits: 2, target: { atMost: maxRatio } });
}
const after = await longStatements({ url: server.url, headers });
const long = [...after]
  .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  .filter(([name, count]) => count > 0 && name.startsWith('select'));
await server.finish();
const parley = long.reduce((sum, [, count]) => sum + count, 0);
report(
  `p50 of pages in the last quarter of lists of ${total.toLocaleString('en')} rows against the first quarter`,
  [...rows, { what: 'reads over 10 ms on the main thread', parley, target: { atMost: 0 } }],
  long.map(([name, count]) => `${name}: ${count} took more than 10 ms`),
);
