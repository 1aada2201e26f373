import { pause } from '../../src/base/clock.ts';
import { quantile } from '../../test/support/listening/judged.ts';
import { watchMachine } from '../calls/processes.ts';
import { onMachine, quick, report } from '../support/report.ts';
import { startTalkers, type Talker } from './talkers.ts';

/** The delay that parley adds to sound, on loopback: from the caller's packet to the service, and from the service to the packet sent. */
const rounds = quick ? 100 : 1000;
const packetMs = 20;

const isLoud = (base64: string): boolean =>
  Buffer.from(base64, 'base64').some((byte) => byte !== 0xff && byte !== 0x7f);

/** Sends a packet each 20 ms, of which about one in ten is loud; resolves with how long each of those took to the service. */
async function upward(talker: Talker): Promise<number[]> {
  const delays: number[] = [];
  let loudMs: number | undefined;
  let isOver = false;
  const listening = (async () => {
    while (!isOver) {
      const { event, atMs } = await talker.next('input_audio_buffer.append');
      if (loudMs === undefined || !isLoud(String(event['audio']))) continue;
      delays.push(atMs - loudMs);
      loudMs = undefined;
    }
  })();
  const startMs = performance.now();
  for (let sent = 0; delays.length < rounds && sent < rounds * 20; sent += 1) {
    const isDue = loudMs === undefined && Math.random() < 0.1;
    const sentMs = talker.speak(isDue);
    if (isDue) loudMs = sentMs;
    await pause(Math.max(0, startMs + (sent + 1) * packetMs - performance.now()));
  }
  isOver = true;
  talker.speak(false);
  talker.speak(false);
  await listening;
  return delays;
}

/** Answers with a short sound again and again; resolves with how long each took to its first packet. */
async function downward(talker: Talker): Promise<number[]> {
  const delays: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = talker.heard().frames;
    const sentMs = performance.now();
    talker.answer(packetMs);
    while (talker.heard().frames === before) await pause(1);
    delays.push(talker.heard().lastMs - sentMs);
    await pause(Math.random() * packetMs);
  }
  return delays;
}

export async function measureDelay(): Promise<void> {
  const machine = await watchMachine();
  const { talkers, stop } = await startTalkers(1);
  machine.begin();
  const up = await upward(talkers[0]!);
  const down = await downward(talkers[0]!);
  const bare = await machine.end();
  await stop();
  const rows = (what: string, delays: readonly number[]) => [
    { what: `${what}, p50`, parley: quantile(delays, 0.5), unit: 'ms', digits: 1 },
    { what: `${what}, p99`, parley: quantile(delays, 0.99), unit: 'ms', digits: 1, target: { atMost: 25 } },
  ];
  report(
    `Delay that parley adds with the engine realtime, ${rounds} times each way`,
    onMachine(
      [...rows('from a packet to its append', up), ...rows('from the first delta to its packet', down)],
      bare.isBusy,
    ),
    [`a bare timer of 2 ms meanwhile: p99 ${bare.p99.toFixed(2)} ms${bare.isBusy ? '; the machine was busy' : ''}`],
  );
}
