import { pause } from '../../src/base/clock.ts';
import { quantile } from '../../test/support/listening/judged.ts';
import { quick, report } from '../support/report.ts';
import { startTalkers, type Talker } from './talkers.ts';

/** Interruptions at random moments of answers, the first packet and the last among them. */
const calls = 10;
const interruptions = quick ? 200 : 1000;
const answerMs = 600;
/** A packet that was on its way when somebody began to speak. */
const settleMs = 150;
const packetMs = 20;
/** A truncation is sent at once, if one is sent. */
const maxTellMs = 250;

type Interrupted = { lastPacketMs: number; toldMs: number; sentMs: number };

/** Undefined: everything had been sent, or nothing. */
async function interrupted(talker: Talker, afterMs: number): Promise<Interrupted | undefined> {
  const before = talker.heard().frames;
  const truncation = talker.next('conversation.item.truncate');
  talker.answer(answerMs);
  if (afterMs > 0) await pause(afterMs);
  const begunMs = performance.now();
  talker.send({ type: 'input_audio_buffer.speech_started', item_id: 'user', audio_start_ms: 0 });
  const told = await Promise.race([truncation, pause(maxTellMs).then(() => undefined)]);
  await pause(settleMs);
  talker.send({ type: 'input_audio_buffer.speech_stopped', item_id: 'user', audio_end_ms: 0 });
  const { frames, lastMs } = talker.heard();
  if (!told) return undefined;
  const toldMs = Number(told.event['audio_end_ms']);
  return { lastPacketMs: Math.max(0, lastMs - begunMs), toldMs, sentMs: (frames - before) * packetMs };
}

export async function measureInterruptions(): Promise<void> {
  const { talkers, refused, stop } = await startTalkers(calls);
  const found: Interrupted[] = [];
  let rest = 0;
  await Promise.all(
    talkers.map(async (talker) => {
      for (let at = 0; at < interruptions / calls; at += 1) {
        const one = await interrupted(talker, Math.random() * (answerMs + 40) - 20);
        if (one) found.push(one);
        else rest += 1;
      }
    }),
  );
  await stop();
  const differences = found.map(({ toldMs, sentMs }) => Math.abs(toldMs - sentMs));
  report(`Interruptions: ${interruptions} at random moments of answers of ${answerMs} ms, ${calls} calls`, [
    {
      what: 'from speech_started to the last packet, p99',
      parley: quantile(
        found.map(({ lastPacketMs }) => lastPacketMs),
        0.99,
      ),
      unit: 'ms',
      digits: 1,
      target: { atMost: 40 },
    },
    {
      what: 'what the model is told, away from what was sent, largest',
      parley: Math.max(...differences),
      unit: 'ms',
      target: { atMost: 40 },
    },
    { what: 'truncations that the real service would refuse', parley: refused(), target: { atMost: 0 } },
    { what: 'answers cut off', parley: found.length },
    { what: 'answers that were over, or of which nothing had been sent', parley: rest },
  ]);
}
