import { jobKind } from '../../kernel/queue.ts';

/** The durable work of a call, all keyed by the call's id. */
export const startCall = jobKind<{ callId: string }>('call.start');
export const dialCall = jobKind<{ callId: string }>('call.dial');
export const hangUpCall = jobKind<{ callId: string }>('call.hangup');
export const endSilentCall = jobKind<{ callId: string }>('call.lease');

/** The carrier is one lane: it is asked so many things at a time and no more. */
export const carrierLane = 'carrier';
