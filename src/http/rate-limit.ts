import type { Context } from 'koa';
import { monotonicMs } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { AppError } from '../base/errors.ts';
import type { Caller } from '../kernel/route.ts';

/** How much a caller has left after a request, or how long to wait for the next one. */
export type Standing = {
  allowed: boolean;
  /** Whole requests that may follow at once. */
  remaining: number;
  /** Until the whole burst is there again, and until a request that was refused would pass (0 for one that passed). Real time. */
  fullInMs: number;
  retryInMs: number;
};

export type RateLimiter = { take(subject: string): Standing };

/** So many callers are remembered before those are looked for whose bucket is full again, which need no memory. */
const sweepAt = 10_000;

/**
 * One token bucket a subject, each kept as the instant at which it is full again. By hand because the limiters of npm count in fixed
 * windows or bring a store of their own.
 */
export function createRateLimiter(
  { perSecond, burst }: { perSecond: number; burst: number },
  nowMs: () => number = monotonicMs,
): RateLimiter {
  const perTokenMs = 1000 / perSecond;
  const fullAt = new Map<string, number>();
  let sweepSize = sweepAt;

  function sweep(now: number): void {
    for (const [subject, at] of fullAt) if (at <= now) fullAt.delete(subject);
    // Whoever is left is really being limited; looking again waits until their number has doubled.
    sweepSize = Math.max(sweepAt, fullAt.size * 2);
  }

  return {
    take(subject) {
      const now = nowMs();
      const missing = Math.max(0, (fullAt.get(subject) ?? 0) - now) / perTokenMs;
      const available = burst - missing;
      // Sums of fractions of a millisecond fall short of a whole token by a little.
      const allowed = available >= 1 - 1e-6;
      const taken = allowed ? missing + 1 : missing;
      if (allowed) fullAt.set(subject, now + taken * perTokenMs);
      if (fullAt.size > sweepSize) sweep(now);
      return {
        allowed,
        remaining: Math.max(0, Math.floor(burst - taken + 1e-6)),
        fullInMs: taken * perTokenMs,
        retryInMs: Math.max(0, 1 - available) * perTokenMs,
      };
    },
  };
}

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

/**
 * Counts a request against its caller's key (contract, section 1): a token counts with the key it was made with. Every answer that
 * follows says where the caller stands, in the fields of draft-ietf-httpapi-ratelimit-headers-10: the burst is the quota, the time
 * that an empty bucket takes to fill is its window. The limit is off when `per_second` is 0.
 */
export function rateLimit(config: Config): (ctx: Context, caller: Caller) => void {
  const { per_second: perSecond, burst } = config.http.rate_limit;
  if (perSecond === 0) return () => undefined;
  const limiter = createRateLimiter({ perSecond, burst });
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
  return (ctx, caller) => {
    const standing = limiter.take(`${caller.orgId}:${caller.subject}`);
    ctx.set('RateLimit-Policy', policy);
    ctx.set('RateLimit', `"default";r=${standing.remaining};t=${secondsOf(standing.fullInMs)}`);
    if (standing.allowed) return;
    const waitSec = Math.max(1, secondsOf(standing.retryInMs));
    throw new AppError('rate_limited', `Too many requests with this key; try again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
  };
}
