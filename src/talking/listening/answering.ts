import { after, monotonicMs } from '../../base/clock.ts';
import type { Codec } from '../../telephony/audio/g711.ts';
import type { VoicemailSettings } from '../speech/settings.ts';
import { createHearing, type Heard } from './hearing.ts';
import { type MailboxWait, waitForMailbox } from './mailbox.ts';
import { createJudge, nothing, type Verdict } from './verdict.ts';

export type Answering = {
  hear(audio: Uint8Array, atMs: number): void;
  /** Time on hold does not count. */
  held(isHeld: boolean): void;
  /** The agent has begun to speak: from now on only its model can tell a machine. */
  agentSpoke(): void;
  /** The model has noticed that a machine speaks, at any time. */
  machineSpeaks(): void;
  end(): void;
};

export type AnsweringEvents = {
  /** At most two: a tone may follow on `person` or `unclear`. */
  verdict(verdict: Verdict): void;
  /** The mailbox records now. Once, after the verdict `machine`. */
  mailboxRecords(): void;
};

export type RealTime = {
  nowMs(): number;
  after(ms: number, callback: () => void): () => void;
};

const realTime: RealTime = { nowMs: monotonicMs, after };

/** How often time is looked at in which no sound comes. */
const tickMs = 200;
/** Sound may be late by this much, so that time without any is known only then. */
const lateMs = 200;

/** Listens who has answered, and after a mailbox when it records. To be created at the answer. */
export function createAnswering(
  codec: Codec,
  settings: VoicemailSettings,
  events: AnsweringEvents,
  time: RealTime = realTime,
): Answering {
  const judge = createJudge({
    initialSilenceMs: settings.initial_silence_ms,
    greetingMs: settings.greeting_ms,
    machineMs: settings.machine_ms,
    afterGreetingSilenceMs: settings.after_greeting_silence_ms,
  });
  const answeredMs = time.nowMs();
  let heldSinceMs: number | undefined;
  let heldMs = 0;
  /** The end of what was heard, without the time on hold. */
  let heardMs = 0;
  let wait: MailboxWait | undefined;
  let [isAsleep, isDone] = [false, false];
  let cancelTick: () => void = () => undefined;

  function take(atMs: number, heard: Heard): void {
    if (isDone || isAsleep) return;
    heardMs = Math.max(heardMs, atMs);
    if (wait) {
      if (!wait.take(heardMs, heard)) return;
      finish();
      return events.mailboxRecords();
    }
    const verdict = judge.take(heardMs, heard);
    if (!verdict) return;
    if (verdict.who === 'machine') wait = waitForMailbox(heardMs, settings.message_wait_ms, heard);
    events.verdict(verdict);
  }

  let endOfPieceMs = 0;
  const hearing = createHearing(codec, (heard) => take(endOfPieceMs, heard));

  const elapsedMs = (): number => time.nowMs() - answeredMs - heldMs - lateMs;

  function tick(): void {
    if (heldSinceMs === undefined && elapsedMs() > heardMs) take(elapsedMs(), nothing);
    if (!isDone && !isAsleep) cancelTick = time.after(tickMs, tick);
  }
  cancelTick = time.after(tickMs, tick);

  function finish(): void {
    if (isDone) return;
    isDone = true;
    cancelTick();
    hearing.close();
  }

  return {
    hear(audio, atMs) {
      if (isDone || isAsleep) return;
      endOfPieceMs = atMs + audio.length / 8 - heldMs;
      hearing.hear(audio);
    },
    held(isHeld) {
      const nowMs = time.nowMs();
      if (isHeld) heldSinceMs ??= nowMs;
      else if (heldSinceMs !== undefined) {
        heldMs += nowMs - heldSinceMs;
        heldSinceMs = undefined;
      }
    },
    agentSpoke() {
      if (!wait && judge.verdict()) isAsleep = true;
    },
    machineSpeaks() {
      if (wait || isDone) return;
      heardMs = Math.max(heardMs, elapsedMs());
      wait = waitForMailbox(heardMs, settings.message_wait_ms, nothing);
      if (isAsleep) {
        isAsleep = false;
        tick();
      }
      events.verdict({ who: 'machine', why: 'the model heard a machine speak' });
    },
    end: finish,
  };
}
