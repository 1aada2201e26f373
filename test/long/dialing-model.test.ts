import { test } from 'node:test';
import { playHistories } from '../model/play.ts';

/** Takes about 15 s. The histories are always the same, so only a change of the code makes it fail; `npm run test:dialing` plays others. */
const runs = 40;
const seed = 945_555_116;

test(`${runs} random histories of edits, opt-outs, outages and restarts: nobody is dialed against the rule, and nobody is forgotten`, (t) =>
  playHistories(t, { runs, seed }));
