import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './run.ts';

/**
 * `npm run test:fuzz` sends PARLEY_FUZZ_REQUESTS (default 50,000) random requests, derived from PARLEY_FUZZ_SEED. Without a seed it makes
 * two runs with half the requests each, one per carrier. A failure's message contains the command that replays it.
 */
const requests = Number(process.env['PARLEY_FUZZ_REQUESTS'] ?? 50_000);
const fixedSeed = process.env['PARLEY_FUZZ_SEED'];
const evenSeed = Math.floor(Math.random() * 1e9) * 2;
const seeds = fixedSeed === undefined ? [evenSeed, evenSeed + 1] : [Number(fixedSeed)];

for (const seed of seeds) {
  const share = Math.ceil(requests / seeds.length);
  test(`${share} requests: PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_REQUESTS=${share} npm run test:fuzz`, async (t) => {
    const { neverDone, ...outcome } = await fuzz({ seed, requests: share });
    t.diagnostic(JSON.stringify(outcome));
    assert.deepEqual(outcome.blocked, [], 'blocked the main thread');
    if (share < 20_000) return;
    // The simulated carrier has no voice runtime that could call these.
    const ofRuntime = seed % 2 === 0 ? [] : ['reportCallEvent', 'queryCallKnowledge'];
    // No source comes from a website, and no number has a SIP trunk, in whose calls the last three act.
    const needNetwork = ['refreshKnowledgeSource', 'checkPhoneNumber', 'sendCallDigits', 'sayInCall', 'transferCall'];
    const neglected = neverDone.filter((id) => ![...ofRuntime, ...needNetwork].includes(id));
    assert.deepEqual(neglected, [], 'operations that never succeeded');
  });
}
