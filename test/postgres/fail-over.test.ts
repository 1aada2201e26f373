// Waits: for nodes to be given up
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { lockSpace } from '../../src/db/postgres/locks.ts';
import { clientConfig } from '../../src/db/postgres/address.ts';
import { openPostgres } from '../../src/db/postgres/open.ts';
import { failOverNodes, planOf } from '../crash/fail-over-nodes.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { openPostgresFor, postgresSettings } from '../support/store.ts';

// Real time: how soon another node takes over is the subject. `npm run test:crash:postgres` does it a hundred times.
/** 20 s, and as much again on a very busy machine. */
const readyLimitMs = 40_000;
const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer;
before(() => void (programs && (postgres = startPostgres(programs, { isDurable: true }))));
after(() => postgres?.stop());

test(
  `ten times another node goes on, and nothing is lost or done twice: PARLEY_CRASH_SEED=${seed} PARLEY_FAILOVERS=10 npm run test:crash:postgres`,
  { skip, timeout: 900_000 },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-nodes-'));
    t.after(() => rmSync(directory, { recursive: true }));
    const tell = (text: string): void => t.diagnostic(text);
    const plan = planOf(seed, 10);
    tell(JSON.stringify(await failOverNodes({ postgres, driver: 'http', seed, plan, directory, readyLimitMs, tell })));
  },
);

test('transactions of a frozen node that wait for one another do not hold up the next', { skip }, async (t) => {
  let name = '';
  const begin = 'BEGIN; SELECT pg_advisory_xact_lock_shared($space, 0); SELECT pg_advisory_xact_lock($space, 7)';
  const frozen: pg.Client[] = [];
  await openPostgresFor(postgres, (_, database) => Promise.resolve(void (name = database)));
  const settings = postgresSettings(postgres.url(name));
  for (let count = 0; count < 3; count += 1) {
    const client = new pg.Client(clientConfig(settings));
    client.on('error', () => undefined);
    await client.connect();
    frozen.push(client);
    const begun = client.query(begin.replaceAll('$space', String(lockSpace))).catch(() => undefined);
    if (count === 0) await begun;
  }
  t.after(() => Promise.all(frozen.map((client) => client.end().catch(() => undefined))));
  const since = performance.now();
  const opened = await openPostgres({
    settings,
    nowMs: 0,
    throwAway: false,
    anyServer: false,
    migrate: 'auto',
    version: '0.1.0',
    node: { name: 'next', keyIds: () => [] },
    onProgress: () => undefined,
    onLost: () => undefined,
  });
  const ms = performance.now() - since;
  await opened.close();
  assert.ok(ms > 2000 && ms < 20_000, `${ms} ms`); // each of the three stands still for 2 s
});
