import { monotonicMs } from '../clock.ts';

/** The state of an owner's bucket after a request. */
export type BucketState = {
  allowed: boolean;
  /** Requests that the owner may still send at once. */
  remaining: number;
  /** Real time until the bucket is full again. */
  fullInMs: number;
  /** Real time until a refused request would be allowed; 0 if this one was. */
  retryInMs: number;
};

export type RateBudget = {
  /** `cost`: tokens that the request takes, 1 by default. A refused one takes none. */
  take(owner: string, cost?: number): BucketState;
};

/** From this number of buckets on, full ones are deleted now and then: a full bucket need not be remembered. */
const minSweepSize = 10_000;

/**
 * A budget that refills: a token bucket per owner, stored as the instant at which it is full again. By hand, because the limiters on npm count in fixed
 * windows or bring a store of their own.
 */
export function createRateBudget(
  { perSecond, burst }: { perSecond: number; burst: number },
  nowMs: () => number = monotonicMs,
): RateBudget {
  const perTokenMs = 1000 / perSecond;
  const fullAt = new Map<string, number>();
  let sweepSize = minSweepSize;

  function sweep(now: number): void {
    for (const [owner, at] of fullAt) if (at <= now) fullAt.delete(owner);
    // The remaining buckets are in use, so sweep again only after their number has doubled.
    sweepSize = Math.max(minSweepSize, fullAt.size * 2);
  }

  return {
    take(owner, cost = 1) {
      const now = nowMs();
      const missing = Math.max(0, (fullAt.get(owner) ?? 0) - now) / perTokenMs;
      const available = burst - missing;
      // Tolerate rounding: fractions of a millisecond add up to slightly less than a whole token.
      const allowed = available >= cost - 1e-6;
      const taken = allowed ? missing + cost : missing;
      if (allowed) fullAt.set(owner, now + taken * perTokenMs);
      if (fullAt.size > sweepSize) sweep(now);
      return {
        allowed,
        remaining: Math.max(0, Math.floor(burst - taken + 1e-6)),
        fullInMs: taken * perTokenMs,
        retryInMs: Math.max(0, cost - available) * perTokenMs,
      };
    },
  };
}
