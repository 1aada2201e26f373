import { suite, test } from 'node:test';
import { endsOf, furtherKills, survive } from './scenario.ts';

/**
 * `npm run test:crash`: PARLEY_CRASH_CYCLES kills (200 by default), in rounds that each begin with an empty directory. Each round has
 * a seed, and its test name contains the command that runs this round alone.
 */
const cycles = Number(process.env['PARLEY_CRASH_CYCLES'] ?? 200);
const firstSeed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const killsPerRound = 20;

suite(`${cycles} crashes`, { concurrency: 2 }, () => {
  for (let round = 0; round * killsPerRound < cycles; round++) {
    const seed = firstSeed + round;
    const driver = seed % 2 === 0 ? 'simulated' : 'http';
    const kills = Math.min(killsPerRound, cycles - round * killsPerRound);
    const replay = `PARLEY_CRASH_SEED=${seed} PARLEY_CRASH_CYCLES=${kills} npm run test:crash`;
    test(`${kills} crashes with the ${driver} carrier: ${replay}`, async (t) => {
      const ends = endsOf(seed, Math.max(1, kills - furtherKills));
      t.diagnostic(JSON.stringify(await survive({ driver, seed: seed * 1000, ends, retries: 1 })));
    });
  }
});
