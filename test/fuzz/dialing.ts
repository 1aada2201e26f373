import { suite, test } from 'node:test';
import { playHistories, randomSeed } from '../model/play.ts';

/**
 * `npm run test:dialing` plays PARLEY_DIALING_HISTORIES (default 10,000) random histories of edits, opt-outs, outages and restarts, derived
 * from PARLEY_DIALING_SEED. Without a seed it plays them in parts, each with a seed and a command that replays it.
 */
const histories = Number(process.env['PARLEY_DIALING_HISTORIES'] ?? 10_000);
const fixedSeed = process.env['PARLEY_DIALING_SEED'];
const perPart = fixedSeed === undefined ? 500 : histories;
const firstSeed = fixedSeed === undefined ? randomSeed() : Number(fixedSeed);

suite(`${histories} histories of dialing`, { concurrency: 2 }, () => {
  for (let part = 0; part * perPart < histories; part += 1) {
    const runs = Math.min(perPart, histories - part * perPart);
    const seed = firstSeed + part;
    test(`${runs} histories from the seed ${seed}`, (t) => playHistories(t, { runs, seed }));
  }
});
