import { hash } from 'node:crypto';
import type { CallStatus } from '../../call.ts';

/** What happens to a simulated call, decided before it rings (contract, section 7). Whole seconds. */
export type Script = {
  /** How it ends; `silent` answers and is never heard of again, `refused` is not even dialed. */
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

/** The endings that a test chooses by the last two digits of the number it dials. */
function chosen(suffix: string, attempt: number): Script | undefined {
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

/** Cumulative shares, in percent, of the endings that other numbers draw. */
const shares: ReadonlyArray<readonly [number, CallStatus]> = [
  [45, 'completed'],
  [75, 'no_answer'],
  [90, 'voicemail'],
  [97, 'busy'],
  [100, 'failed'],
];

/** The same number and attempt always get the same script. */
export function scriptOf(phone: string, attempt: number): Script {
  const known = chosen(phone.slice(-2), attempt);
  if (known) return known;
  const draw = hash('sha256', `${phone}/${attempt}`, 'buffer');
  const percent = draw.readUInt32BE(0) % 100;
  const [, ending] = shares.find(([upTo]) => percent < upTo)!;
  return {
    ending,
    invalidNumber: false,
    goalsMet: draw.readUInt8(4) % 10 < 6,
    ringSec: 2 + (draw.readUInt32BE(8) % 24),
    talkSec: 20 + (draw.readUInt32BE(12) % 161),
  };
}
