import { jobKind } from '../../kernel/queue.ts';

export type DialPayload = {
  callId: string;
  /** How often the carrier was not reached, or was too busy to take the call. */
  refusals?: number;
  /** The error that left open whether the carrier has taken the call. */
  doubt?: string;
};

/** The durable work of a call, all keyed by the call's id. */
export const startCall = jobKind<{ callId: string }>('call.start');
export const dialCall = jobKind<DialPayload>('call.dial');
export const hangUpCall = jobKind<{ callId: string }>('call.hangup');
export const endSilentCall = jobKind<{ callId: string }>('call.lease');

/** The carrier is one lane: it is asked so many things at a time and no more. */
export const carrierLane = 'carrier';
