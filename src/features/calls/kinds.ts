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

/** The lanes of requests to the carrier: dials never delay hang-ups. */
export const carrierLane = 'carrier';
export const hangUpLane = 'carrier:hang-up';
