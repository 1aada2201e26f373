import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { failOverNodes, planOf } from './fail-over-nodes.ts';

/**
 * `npm run test:crash:postgres`: PARLEY_FAILOVERS times (100 by default) the active one of two nodes is killed, frozen, cut off or stopped, its
 * commits lose their answers, or the database is restarted. In rounds that each begin with an empty database; the name of a test contains the
 * command that runs its round alone.
 */
const failOvers = Number(process.env['PARLEY_FAILOVERS'] ?? 100);
const firstSeed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const perRound = 14;
/** docs/postgres.md, "Active and standing by". On a machine that does other work, this one measures that. */
const readyLimitMs = 20_000;

const programs = postgresPrograms();
let postgres: PostgresServer;
const directory = mkdtempSync(join(tmpdir(), 'parley-nodes-'));
before(() => void (programs && (postgres = startPostgres(programs, { isDurable: true }))));
after(() => {
  postgres?.stop();
  rmSync(directory, { recursive: true });
});

suite(`${failOvers} fail-overs`, { skip: programs === undefined && 'needs a PostgreSQL server' }, () => {
  for (let round = 0; round * perRound < failOvers; round += 1) {
    const seed = firstSeed + round;
    const driver = seed % 2 === 0 ? 'simulated' : 'http';
    const many = Math.min(perRound, failOvers - round * perRound);
    const replay = `PARLEY_CRASH_SEED=${seed} PARLEY_FAILOVERS=${many} npm run test:crash:postgres`;
    test(`${many} fail-overs with the ${driver} carrier: ${replay}`, async (t) => {
      const tell = (text: string): void => t.diagnostic(text);
      const plan = planOf(seed, many);
      tell(JSON.stringify(await failOverNodes({ postgres, driver, seed, plan, directory, readyLimitMs, tell })));
    });
  }
});
