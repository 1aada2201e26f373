import { jobKind } from '../../kernel/queue.ts';

export type DialPayload = {
  callId: string;
  /** How often the carrier was out of reach or busy so far. */
  refusals?: number;
  /** The error after which it is unknown whether the carrier has the call. */
  doubt?: string;
};

/** The jobs of a call, each keyed by the call's id. */
export const startCall = jobKind<{ callId: string }>('call.start');
export const dialCall = jobKind<DialPayload>('call.dial');
export const hangUpCall = jobKind<{ callId: string }>('call.hangup');
export const endSilentCall = jobKind<{ callId: string }>('call.lease');

/** All requests to the carrier share one lane, which bounds how many run at a time. */
export const carrierLane = 'carrier';
