import type { HangUp } from '../audio/speech.ts';
import type { Response } from '../message/message.ts';
import type { Audio } from './audio.ts';
import type { SipFacts } from './reports.ts';
import type { Talk, TalkEnd } from './talk.ts';

/** A call that has not ended, whichever side placed it. */
export type LiveCall = {
  /** From the answer on. */
  readonly talk: Talk | undefined;
  readonly audio: Audio | undefined;
  hangUp(hangUp: HangUp): void;
  facts(): SipFacts;
  /** Takes back a call that this side placed, unless it has rung. */
  withdraw?(reason: string): void;
  /** A 2xx without a transaction, for a call that this side placed. */
  onStray?(response: Response): void;
};

export const lostSound = 'No sound came from the other side for too long (sip.rtp_timeout_ms).';

/** Who ended an answered call, in the words of `disconnect_reason`. */
export const disconnectReasonOf = ({ by, hangUp }: TalkEnd): 'customer_hangup' | 'agent_hangup' | 'error' => {
  if (hangUp.status === 'failed') return 'error';
  return by === 'them' ? 'customer_hangup' : 'agent_hangup';
};
