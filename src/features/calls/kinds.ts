import { jobKind } from '../../kernel/queue.ts';

export type DialPayload = {
  callId: string;
  /** The error after which it is unknown whether the carrier has the call. Missing if the server died while dialing. */
  doubt?: string;
  /** How many times the carrier was asked whether it has the call and did not answer. */
  questions?: number;
};

/** Jobs of one call, keyed by the call's id. */
export const startCall = jobKind<{ callId: string }>('call.start');
export const dialCall = jobKind<DialPayload>('call.dial');
/** Has a model summarize a call whose other side is gone, and ends it then. */
export const analyzeCall = jobKind<{ callId: string }>('call.analysis');
export const hangUpCall = jobKind<{ callId: string }>('call.hangup');
/** Of releases that enqueued a job for each call. */
export const endSilentCall = jobKind<{ callId: string }>('call.lease');

export type SilencePayload = {
  /** Calls up to this id are done. */
  after: string;
  /** The earliest instant at which one of those must have ended; null without one. */
  earliest: number | null;
};

/** Ends the calls of an organization whose end was not reported in time; keyed by the organization's id. */
export const endSilentCalls = jobKind<SilencePayload>('calls.leases');

/** Deletes the next batch of calls that ended before an instant; those up to the id `after` are done. */
export const deleteOldCalls = jobKind<{ before: number; after: string }>('calls.delete');

type Lanes = (call: { campaignId?: string | null }) => string;

/** A lane for each campaign, and one for single calls, so that no campaign keeps the organization's others waiting for the carrier. */
export const dialLane: Lanes = ({ campaignId }) => `dial:${campaignId ?? 'single'}`;
export const hangUpLane: Lanes = ({ campaignId }) => `hang-up:${campaignId ?? 'single'}`;
