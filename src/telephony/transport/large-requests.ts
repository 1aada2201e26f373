import { monotonicMs } from '../../base/clock.ts';
import { type Hop, hopKey } from './hop.ts';

/** A datagram that is larger may be lost in fragments (RFC 3261, section 18.1.1). */
const maxDatagramBytes = 1300;
/** A trunk whose firewall drops connections must not delay its calls for long, nor each of them. */
const connectMs = 2000;
const forgetMs = 600_000;
const maxKnown = 10_000;

/** Sends large requests by TCP, and remembers the targets that do not take it. */
export type LargeRequests = {
  /** The target over TCP for a request that is too large for UDP; undefined if it goes by UDP. */
  overTcp(hop: Hop, bytes: number): Hop | undefined;
  /** The target could not be reached over TCP. */
  refused(tcp: Hop): void;
};

export function createLargeRequests(): LargeRequests {
  const refusedAt = new Map<string, number>();
  return {
    overTcp(hop, bytes) {
      if (hop.transport !== 'udp' || bytes <= maxDatagramBytes) return undefined;
      const tcp: Hop = { ...hop, transport: 'tcp', connectMs };
      const at = refusedAt.get(hopKey(tcp));
      return at !== undefined && monotonicMs() - at < forgetMs ? undefined : tcp;
    },
    refused(tcp) {
      if (refusedAt.size >= maxKnown) refusedAt.clear();
      refusedAt.set(hopKey(tcp), monotonicMs());
    },
  };
}
