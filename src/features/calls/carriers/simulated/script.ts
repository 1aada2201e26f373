import { hash } from 'node:crypto';
import type { CallStatus } from '../../call.ts';

/** How a simulated call goes, fixed before it rings (docs/api/calls.md, "Simulated carrier"). Durations are whole seconds. */
export type Script = {
  /** `silent`: the call is answered, but its end is never reported. `refused`: the carrier does not take the call. */
  ending: CallStatus | 'silent' | 'refused';
  invalidNumber: boolean;
  goalsMet: boolean;
  ringSec: number;
  talkSec: number;
};

const fixed = (ending: Script['ending'], rest: Partial<Script> = {}): Script => ({
  ending,
  invalidNumber: false,
  goalsMet: false,
  ringSec: 5,
  talkSec: 30,
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

/** The script depends only on the number and the attempt, so that runs can be repeated. */
export function scriptOf(phone: string, attempt: number): Script {
  const chosen = chosenScript(phone.slice(-2), attempt);
  if (chosen) return chosen;
  const draw = hash('sha256', `${phone}/${attempt}`, 'buffer');
  const percent = draw.readUInt32BE(0) % 100;
  const [, ending] = cumulativeShares.find(([upTo]) => percent < upTo)!;
  return {
    ending,
    invalidNumber: false,
    goalsMet: draw.readUInt8(4) % 10 < 6,
    ringSec: 2 + (draw.readUInt32BE(8) % 24),
    talkSec: 20 + (draw.readUInt32BE(12) % 161),
  };
}
