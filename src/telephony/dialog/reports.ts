import type { MediaStats } from '../media/session.ts';
import type { Credentials } from '../message/digest.ts';
import type { Target } from '../transport/resolve.ts';

/** A call to place, as the main thread hands it over. */
export type DialRequest = {
  /** The `call_session_id`. */
  id: string;
  /** Caller and callee as the trunk wants them: with or without `+`. */
  from: string;
  to: string;
  /** The user in From; null: the caller's number. */
  fromUser: string | null;
  trunk: Target;
  credentials: Credentials | null;
  ringTimeoutMs: number;
  /** From the answer on. */
  maxDurationMs: number;
};

/** Facts about a call of the carrier `sip`. The names are those of the interface, where it is passed on as the `sip` field of a call. */
export type SipFacts = MediaStats & {
  call_id: string;
  /** The status of the final answer to the INVITE that parley sent; null before that answer, and for incoming calls. */
  status_code: number | null;
  turns: number;
  interruptions: number;
};

export type CallEnd = {
  status: 'completed' | 'busy' | 'no_answer' | 'failed';
  /** Null for calls that were not answered. */
  disconnectReason: 'customer_hangup' | 'agent_hangup' | 'error' | null;
  errorMessage: string | null;
  invalidNumber: boolean;
  /** The callee wants no more calls: 607. */
  unwanted: boolean;
  /** Milliseconds from the 200 to the BYE; null for calls that were not answered. */
  talkedMs: number | null;
};

/** Events of a call, in the order in which they happened. `reached`: the trunk answers, whatever it says of the callee. */
export type CallReport =
  /** The INVITE goes out to a target of the trunk; not told again when it is repeated with credentials. */
  | { type: 'invited'; target: string }
  | { type: 'reached' }
  /** `nothingThere`: no trunk was found or connected to. Otherwise it refused the call or stayed silent. */
  | { type: 'out-of-reach'; reason: string; nothingThere: boolean; sip: SipFacts }
  | { type: 'ringing' }
  /** The call was taken back before anything rang. */
  | { type: 'withdrawn'; reason: string; sip: SipFacts }
  | { type: 'answered'; sip: SipFacts }
  | { type: 'key'; digit: string }
  /** The other side has called this phone instead. */
  | { type: 'transferred'; phone: string }
  | { type: 'ended'; end: CallEnd; sip: SipFacts | null };

/** A call that may not ring any more, and why, as a sentence. */
export type Withdrawal = { callId: string; reason: string };
