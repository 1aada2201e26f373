import { suite, test } from 'node:test';
import { analysisKills, kills, survive } from './sip-kill.ts';

/** `npm run test:crash:sip`: kills the server during calls over SIP, PARLEY_CRASH_CYCLES times (100 by default). */
const cycles = Number(process.env['PARLEY_CRASH_CYCLES'] ?? 100);

suite(`${cycles} crashes during calls over SIP`, { concurrency: 2 }, () => {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const kill = kills[cycle % kills.length]!;
    test(`${cycle + 1}: killed at ${kill[0]} (${kill[1]})`, (t) => survive(t, kill));
  }
});

suite(`${cycles} crashes between the BYE of a call and its event`, { concurrency: 2 }, () => {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const kill = analysisKills[cycle % analysisKills.length]!;
    test(`${cycle + 1}: killed at ${kill[0]}`, (t) => survive(t, kill, { isAnalyzed: true }));
  }
});
