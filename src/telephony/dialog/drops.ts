import { monotonicMs } from '../../base/clock.ts';
import type { Hop } from '../transport/hop.ts';
import type { Context } from './context.ts';

/**
 * Messages that get no answer at all: counted by reason, and logged once per source in 10 minutes (docs/api/telephony.md, "Incoming
 * calls").
 */
export type Drops = {
  counts: ReadonlyMap<string, number>;
  /** `too-many`: a known source sends more calls than it may. */
  add(what: string, reason: 'malformed' | 'unknown' | 'too-many', from: Hop): void;
};

const quietMs = 600_000;
/** Sources that are remembered; a scan from more addresses starts the log anew. */
const maxSources = 10_000;

export function createDrops(log: Context['log']): Drops {
  const counts = new Map<string, number>();
  const loggedAt = new Map<string, number>();
  return {
    counts,
    add(what, reason, { address, transport }) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const nowMs = monotonicMs();
      if (nowMs - (loggedAt.get(address) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
      if (loggedAt.size >= maxSources) loggedAt.clear();
      loggedAt.set(address, nowMs);
      log('info', { address, transport, what, reason }, 'a SIP message that belongs to no call was dropped');
    },
  };
}
