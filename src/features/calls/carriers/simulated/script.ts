import { hash } from 'node:crypto';
import type { App } from '../../../../kernel/app.ts';
import type { Call, CallStatus, ScriptedCall } from '../../call.ts';

/** How a simulated call goes, fixed before it rings (docs/api/calls.md, "Simulated carrier"). Durations are milliseconds. */
export type Script = {
  /** `silent`: the call is answered, but its end is never reported. `refused`: the carrier does not take the call. */
  ending: CallStatus | 'silent' | 'refused';
  invalidNumber: boolean;
  goalsMet: boolean;
  ringMs: number;
  talkMs: number;
  /** What the request for the call gave: replaces the conversation and its summary. */
  given?: Pick<ScriptedCall, 'transcript' | 'summary'>;
};

const [chosenRingMs, chosenTalkMs] = [5000, 30_000];

const fixed = (ending: Script['ending'], rest: Partial<Script> = {}): Script => ({
  ending,
  invalidNumber: false,
  goalsMet: false,
  ringMs: chosenRingMs,
  talkMs: chosenTalkMs,
  ...rest,
});

/** The fixed scripts, which a test chooses by the last two digits of the dialed number. */
function chosenScript(suffix: string, attempt: number): Script | undefined {
  switch (suffix) {
    case '00':
      return fixed('completed', { goalsMet: true });
    case '01':
      return fixed('completed');
    case '02':
      return fixed('busy');
    case '03':
      return fixed('no_answer');
    case '04':
      return fixed('voicemail');
    case '05':
      return fixed('failed');
    case '06':
      return fixed('failed', { invalidNumber: true });
    case '07':
      return attempt === 1 ? fixed('no_answer') : fixed('completed', { goalsMet: true });
    case '08':
      return fixed('silent');
    case '09':
      return fixed('refused');
    default:
      return undefined;
  }
}

/** How calls to all other numbers end: cumulative percentages. */
const cumulativeShares: ReadonlyArray<readonly [number, CallStatus]> = [
  [45, 'completed'],
  [75, 'no_answer'],
  [90, 'voicemail'],
  [97, 'busy'],
  [100, 'failed'],
];

/** How a call goes: as its request says, else as the dialed number and the attempt say. */
export const scriptOf = (
  app: Pick<App, 'ids'>,
  { simulate, to, attempt }: Pick<Call, 'simulate' | 'to' | 'attempt'>,
): Script => (simulate === null ? numberScript(to, attempt, app.ids.seed) : requestedScript(simulate));

function requestedScript({ outcome, ring_ms, talk_ms, ...given }: ScriptedCall): Script {
  return {
    ending: outcome,
    invalidNumber: false,
    goalsMet: outcome === 'completed',
    ringMs: ring_ms ?? chosenRingMs,
    talkMs: talk_ms ?? (outcome === 'completed' ? chosenTalkMs : 0),
    given,
  };
}

/** The script depends only on the number, the attempt and the server's seed, so that runs can be repeated. */
export function numberScript(phone: string, attempt: number, seed: number | null = null): Script {
  const chosen = chosenScript(phone.slice(-2), attempt);
  if (chosen) return chosen;
  const draw = hash('sha256', seed === null ? `${phone}/${attempt}` : `${phone}/${attempt}/${seed}`, 'buffer');
  const percent = draw.readUInt32BE(0) % 100;
  const [, ending] = cumulativeShares.find(([upTo]) => percent < upTo)!;
  return {
    ending,
    invalidNumber: false,
    goalsMet: draw.readUInt8(4) % 10 < 6,
    ringMs: 1000 * (2 + (draw.readUInt32BE(8) % 24)),
    talkMs: 1000 * (20 + (draw.readUInt32BE(12) % 161)),
  };
}
