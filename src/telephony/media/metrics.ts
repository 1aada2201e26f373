import type { MediaMetrics } from './session.ts';

/** Why a packet was not taken. */
export type DropReason = 'early' | 'ahead' | 'source' | 'srtp' | 'malformed' | 'payload' | 'rtcp' | 'send';

/** Counts over all calls of the worker. `lost` are those of ended calls. */
export type MediaCounts = {
  sent: number;
  received: number;
  lost: number;
  drop(reason: DropReason): void;
  snapshot(lostInCalls: number): MediaMetrics;
};

export function mediaCounts(): MediaCounts {
  const dropped: Partial<Record<DropReason, number>> = {};
  return {
    sent: 0,
    received: 0,
    lost: 0,
    drop: (reason) => void (dropped[reason] = (dropped[reason] ?? 0) + 1),
    snapshot(lostInCalls) {
      return {
        packetsSent: this.sent,
        packetsReceived: this.received,
        packetsLost: this.lost + lostInCalls,
        dropped: { ...dropped },
      };
    },
  };
}
