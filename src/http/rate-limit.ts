import type { Context } from 'koa';
import { monotonicMs } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { senderOf } from '../base/outbound/addresses.ts';
import type { App } from '../kernel/app.ts';
import { nodeState } from '../kernel/node.ts';
import type { Caller } from '../kernel/route.ts';
import { headersOf } from './output/send.ts';

/** The state of a caller's bucket after a request. */
export type BucketState = {
  allowed: boolean;
  /** Requests that the caller may still send at once. */
  remaining: number;
  /** Real time until the bucket is full again. */
  fullInMs: number;
  /** Real time until a refused request would be allowed; 0 if this one was. */
  retryInMs: number;
};

export type RateLimiter = { take(subject: string): BucketState };

/** From this number of buckets on, full ones are deleted now and then: a full bucket need not be remembered. */
const minSweepSize = 10_000;

/**
 * A token bucket per subject, stored as the instant at which it is full again. By hand, because the limiters on npm count in fixed
 * windows or bring a store of their own.
 */
export function createRateLimiter(
  { perSecond, burst }: { perSecond: number; burst: number },
  nowMs: () => number = monotonicMs,
): RateLimiter {
  const perTokenMs = 1000 / perSecond;
  const fullAt = new Map<string, number>();
  let sweepSize = minSweepSize;

  function sweep(now: number): void {
    for (const [subject, at] of fullAt) if (at <= now) fullAt.delete(subject);
    // The remaining buckets are in use, so sweep again only after their number has doubled.
    sweepSize = Math.max(minSweepSize, fullAt.size * 2);
  }

  return {
    take(subject) {
      const now = nowMs();
      const missing = Math.max(0, (fullAt.get(subject) ?? 0) - now) / perTokenMs;
      const available = burst - missing;
      // Tolerate rounding: fractions of a millisecond add up to slightly less than a whole token.
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

/** Counts requests; each function returns the refusal of a request that exceeds the limit. */
export type RateLimit = {
  /** Against its caller: a person's sessions and tokens share a bucket, and so do a key and its tokens. */
  ofCaller(ctx: Context, caller: Caller): AppError | undefined;
  /** Against the client's address, for requests without credentials. Each `purpose` has a count of its own. */
  ofAddress(ctx: Context, purpose: 'operation' | 'document'): AppError | undefined;
};

/**
 * The rate limits of docs/api/http.md. Answers carry the headers of draft-ietf-httpapi-ratelimit-headers-10: the quota is the burst, its
 * window is the time that an empty bucket takes to fill. `per_second: 0` turns the limit off.
 */
export function rateLimit(app: App): RateLimit {
  const { per_second: perSecond, burst } = app.config.http.rate_limit;
  if (perSecond === 0) return { ofCaller: () => undefined, ofAddress: () => undefined };
  const limiter = nodeState('rateBuckets', () => createRateLimiter({ perSecond, burst }))(app);
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
  const take = (ctx: Context, subject: string, sender: string): AppError | undefined => {
    const bucket = limiter.take(subject);
    const state = `"default";r=${bucket.remaining};t=${secondsOf(bucket.fullInMs)}`;
    headersOf(ctx).push('RateLimit-Policy', policy, 'RateLimit', state);
    if (bucket.allowed) return undefined;
    const waitSec = Math.max(1, secondsOf(bucket.retryInMs));
    return new AppError('rate_limited', `Too many requests ${sender}; try again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
  };
  return {
    ofCaller: (ctx, { orgId, identity, subject }) =>
      take(ctx, `${orgId}:${identity}:${subject}`, identity === 'user' ? 'from this person' : 'with this key'),
    ofAddress: (ctx, purpose) => take(ctx, `${purpose}:${senderOf(ctx.ip)}`, 'from this address'),
  };
}
