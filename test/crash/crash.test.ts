import { suite, test } from 'node:test';
import { survive } from './scenario.ts';

/** A few of the crashes of which test/crash/long.ts runs hundreds. */
const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));

suite(`SIGKILL (PARLEY_CRASH_SEED=${seed} node --test test/crash/crash.test.ts)`, { concurrency: 2 }, () => {
  test('the simulated carrier: nothing acknowledged is lost, nothing happens twice, and all work gets done', async (t) => {
    const ends = ['call-end.uncommitted', 'delivery.unrecorded', 'any moment', 'dial.unrecorded'] as const;
    t.diagnostic(JSON.stringify(await survive({ driver: 'simulated', seed, ends })));
  });

  test('the http carrier: no call is dialed twice, and each accepted call ends as the voice runtime reports', async (t) => {
    const ends = ['dial.unrecorded', 'call-end.committed', 'dial.unsent'] as const;
    t.diagnostic(JSON.stringify(await survive({ driver: 'http', seed: seed + 1000, ends })));
  });
});
