import Database from 'better-sqlite3';
import { pause } from '../../src/base/clock.ts';
import { quick } from '../support/report.ts';
import { tell } from './findings.ts';
import { watchMachine } from './processes.ts';
import { serveTelephony, startCampaign, startTrunk, statsOf } from './telephony.ts';

/** 50 calls a second: how soon the INVITE follows the attempt, and whether anything had to be sent twice. */

const perSecond = 50;
const seconds = quick ? 5 : 60;
const calls = perSecond * seconds;
const talkMs = 500;
const maxInviteMs = 20;

export async function measureSetUp(): Promise<void> {
  const [machine, trunk, server] = [await watchMachine(), await startTrunk(talkMs), await serveTelephony()];
  machine.begin();
  const begunAt = performance.now();
  const campaign = await startCampaign(server, trunk.port, { contacts: calls, maxCps: perSecond, maxConcurrent: 300 });
  for (let isOver = false; !isOver; await pause(200)) {
    const { pending, inProgress } = await statsOf(server, campaign);
    isOver = pending + inProgress === 0;
    if (performance.now() - begunAt > seconds * 3000 + 30_000) throw new Error('the calls do not end');
  }
  const bare = await machine.end();
  const { invitedAt, repeated, ended } = await trunk.figures();
  const waited = waitsOf(server.databaseFile, invitedAt);
  await server.stop();
  trunk.stop();

  const at = (share: number): number => waited[Math.min(waited.length - 1, Math.floor(waited.length * share))] ?? 0;
  const times = Object.values(invitedAt).toSorted((a, b) => a - b);
  const rate = ((times.length - 1) * 1000) / (times.at(-1)! - times[0]!);
  tell(
    `set-up: ${calls} calls in ${seconds} s`,
    [
      {
        what: 'INVITEs a second',
        found: rate.toFixed(1),
        limit: `at least ${perSecond * 0.99}`,
        isMet: rate >= perSecond * 0.99,
      },
      { what: 'calls that were set up and ended', found: String(ended), limit: String(calls), isMet: ended === calls },
      { what: 'requests sent again', found: String(repeated.length), limit: '0', isMet: repeated.length === 0 },
      {
        what: 'from the attempt in the database to its INVITE at the trunk',
        found: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
        limit: `p99 at most ${maxInviteMs} ms`,
        isMet: waited.length === calls && at(0.99) <= maxInviteMs,
      },
    ],
    bare,
  );
}

/**
 * Milliseconds from the writing of each attempt to its INVITE, in ascending order. They include the commit itself and its wait for the
 * disk, so that the time from the commit on is shorter.
 */
function waitsOf(databaseFile: string, invitedAt: Readonly<Record<string, number>>): number[] {
  const database = new Database(databaseFile, { readonly: true });
  const rows = database.prepare('SELECT id, created_at AS at FROM calls').all();
  database.close();
  return (rows as Array<{ id: string; at: number }>)
    .flatMap(({ id, at }) => (invitedAt[id] === undefined ? [] : [invitedAt[id] - at]))
    .toSorted((a, b) => a - b);
}
