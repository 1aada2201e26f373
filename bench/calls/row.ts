import { pause } from '../../src/base/clock.ts';
import { quick } from '../support/report.ts';
import { type Finding, tell } from './findings.ts';
import { ask, startProcess } from './processes.ts';
import type { Remains } from './row-server.ts';
import { type Access, startCampaign, startTrunk, statsOf } from './telephony.ts';

/** Two thousand calls one after the other: what they leave in the process. */

const callsPerRound = quick ? 100 : 1000;
const maxGrowth = 0.02;
/** The server has sockets and timers of its own, which come and go. */
const maxMore = 2;
/** Transactions over UDP wait 32 s for repetitions, and then nothing of a call is left. */
const lingerMs = 34_000;

export async function measureRow(): Promise<void> {
  const trunk = await startTrunk(20);
  const { process: child, first } = await startProcess('row-server.ts');
  const server = first as Access;
  const rounds: Remains[] = [];
  // The first round fills caches and compiles; the second and third are compared.
  for (let round = 0; round < 3; round += 1) {
    const campaign = await startCampaign(server, trunk.port, {
      contacts: callsPerRound,
      maxCps: 100,
      maxConcurrent: 10,
    });
    for (let left = 1; left > 0; await pause(200)) {
      const { pending, inProgress } = await statsOf(server, campaign);
      left = pending + inProgress;
    }
    await pause(lingerMs);
    rounds.push(await ask<Remains>(child, 'remains'));
  }
  const { ended } = await trunk.figures();
  child.disconnect();
  trunk.stop();
  const [, before, after] = rounds as [Remains, Remains, Remains];
  const count = (what: string, was: number, is: number): Finding => ({
    what: `${what} before and after the last ${callsPerRound} calls`,
    found: `${was}, ${is}`,
    limit: `at most ${maxMore} more`,
    isMet: is <= was + maxMore,
  });
  const heap = (what: string, was: number, is: number): Finding => ({
    what,
    found: `${mib(was)} to ${mib(is)} MiB (${((is / was - 1) * 100).toFixed(2)} %)`,
    limit: `at most ${maxGrowth * 100} %`,
    isMet: is <= was * (1 + maxGrowth),
  });
  tell(`${callsPerRound * 2} calls in a row, after ${callsPerRound} to warm up`, [
    { what: 'calls', found: String(ended), limit: String(callsPerRound * 3), isMet: ended === callsPerRound * 3 },
    count('sockets', before.sockets, after.sockets),
    count('timers', before.timers, after.timers),
    heap('heap of the telephony thread over the last round', before.telephonyBytes, after.telephonyBytes),
    heap('heap of the main thread over the last round', before.mainBytes, after.mainBytes),
  ]);
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);
