import { test } from 'node:test';
import { playHistories } from '../model/play.ts';

/** As many as take some 15 s, always the same, so that a change is not refused for an old fault; `npm run test:dialing` plays new ones. */
const runs = 40;
const seed = 945_555_116;

test(`${runs} random histories of edits, opt-outs, outages and restarts: nobody is dialed against the rule, and nobody is forgotten`, (t) =>
  playHistories(t, { runs, seed }));
