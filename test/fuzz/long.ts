import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './run.ts';

/**
 * `npm run test:fuzz`: so many requests (PARLEY_FUZZ_REQUESTS, 50,000) that follow from a seed (PARLEY_FUZZ_SEED). Without a seed
 * there are two runs of half as many, one for each carrier; the message of a failure has the command that replays it.
 */
const requests = Number(process.env['PARLEY_FUZZ_REQUESTS'] ?? 50_000);
const given = process.env['PARLEY_FUZZ_SEED'];
const even = Math.floor(Math.random() * 1e9) * 2;
const seeds = given === undefined ? [even, even + 1] : [Number(given)];

for (const seed of seeds) {
  const share = Math.ceil(requests / seeds.length);
  test(`${share} requests: PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_REQUESTS=${share} npm run test:fuzz`, async (t) => {
    const { neverDone, ...outcome } = await fuzz({ seed, requests: share });
    t.diagnostic(JSON.stringify(outcome));
    if (share < 20_000) return;
    // Nobody calls back for the simulated carrier, nor looks anything up.
    const tried = neverDone.filter((id) => seed % 2 === 0 || !['reportCallEvent', 'queryCallKnowledge'].includes(id));
    assert.deepEqual(tried, [], 'operations that never succeeded were hardly tried');
  });
}
