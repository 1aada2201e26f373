import { test } from 'node:test';
import { playHistories, randomSeed } from '../model/play.ts';

/** As many as fit into some 15 s; `npm run test:dialing` plays 10,000. */
const runs = 40;

test(`${runs} random histories of edits, opt-outs, outages and restarts: nobody is dialed against the rule, and nobody is forgotten`, (t) =>
  playHistories(t, { runs, seed: randomSeed() }));
