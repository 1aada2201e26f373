import { jobKind } from '../../kernel/queue.ts';

export type DialPayload = {
  callId: string;
  /** The error after which it is unknown whether the carrier has the call. Missing, if the server died while it dialed. */
  doubt?: string;
  /** How often the carrier was asked, without an answer, whether it has the call. */
  questions?: number;
};

/** The jobs of a call, each keyed by the call's id. */
export const startCall = jobKind<{ callId: string }>('call.start');
export const dialCall = jobKind<DialPayload>('call.dial');
export const hangUpCall = jobKind<{ callId: string }>('call.hangup');
export const endSilentCall = jobKind<{ callId: string }>('call.lease');

/** The lanes of requests to the carrier: dials never delay hang-ups. */
export const carrierLane = 'carrier';
export const hangUpLane = 'carrier:hang-up';
