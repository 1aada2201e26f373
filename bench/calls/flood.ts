import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pause } from '../../src/base/clock.ts';
import type { MediaFigures, MediaRequest } from '../../test/support/sip/media-worker.ts';
import { quick } from '../support/report.ts';
import { tell } from './findings.ts';
import { ask, startProcess, watchMachine } from './processes.ts';
import { latenessBetween } from './sound.ts';

/** The sound of calls while strangers send junk to the SIP port of the same thread. */

const calls = 100;
const perSecond = 10_000;
const seconds = quick ? 5 : 30;
const warmUpMs = 5000;
const maxRatio = 2;
/** Below this no one hears a difference, and the steps of 0.25 ms make ratios meaningless. */
const floorMs = 1;

export async function measureFlood(): Promise<void> {
  const machine = await watchMachine();
  const peers = await startProcess('sound-peers.ts', [String(calls)]);
  const engine = new Worker(new URL('../../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: { portMin: 20_000, portMax: 29_999 },
  });
  async function order<T>(message: MediaRequest): Promise<T> {
    engine.postMessage(message, []);
    return ((await once(engine, 'message')) as [T])[0];
  }
  const ports = await order<number[]>({ type: 'open', calls });
  const sipPort = await order<number>({ type: 'listen' });
  await order({ type: 'start', ports: peers.first as number[] });
  peers.process.send({ talkTo: ports });
  await pause(warmUpMs);
  machine.begin();
  const first = await order<MediaFigures>({ type: 'figures' });
  await pause(seconds * 1000);
  const second = await order<MediaFigures>({ type: 'figures' });
  const junk = await startProcess('junk.ts', [String(sipPort), String(perSecond)]);
  await pause(1000);
  const third = await order<MediaFigures>({ type: 'figures' });
  const sentBefore = await ask<number>(junk.process, 'sent');
  await pause(seconds * 1000);
  const fourth = await order<MediaFigures>({ type: 'figures' });
  const sent = (await ask<number>(junk.process, 'sent')) - sentBefore;
  const bare = await machine.end();
  await order({ type: 'close' });
  junk.process.disconnect();
  peers.process.disconnect();

  const [quiet, flooded] = [latenessBetween(first, second), latenessBetween(third, fourth)];
  const limitMs = Math.max(quiet.p99 * maxRatio, floorMs);
  tell(
    `sound of ${calls} calls beside ${Math.round(sent / seconds)} datagrams of junk a second, ${seconds} s each`,
    [
      { what: 'packets sent late without junk', found: `p99 ${quiet.p99.toFixed(2)} ms` },
      {
        what: 'with junk',
        found: `p99 ${flooded.p99.toFixed(2)} ms`,
        limit: `at most ${limitMs.toFixed(2)} ms`,
        isMet: flooded.p99 <= limitMs,
      },
    ],
    bare,
  );
}
