import { test } from 'node:test';
import { analysisKills, survive } from './sip-kill.ts';

const cycles = 10;

for (let cycle = 0; cycle < cycles; cycle += 1) {
  const kill = analysisKills[cycle % analysisKills.length]!;
  test(`killed at ${kill[0]}, a call that waits for its summary ends with it, and its event is told (${cycle + 1})`, (t) =>
    survive(t, kill, { isAnalyzed: true }));
}
