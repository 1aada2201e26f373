import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { createRateBudget, type RateBudget } from '../base/fair/rate-budget.ts';
import { senderOf } from '../base/outbound/addresses.ts';
import type { App } from '../kernel/app.ts';
import { nodeState } from '../kernel/node.ts';
import type { Caller } from '../kernel/route.ts';
import { headersOf } from './output/send.ts';

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

/** Counts requests; each function returns the refusal of a request that exceeds the limit. */
export type RateLimit = {
  /** Against its caller: a person's sessions and tokens share a bucket, and so do a key and its tokens. */
  ofCaller(ctx: Context, caller: Caller): AppError | undefined;
  /** Against the client's address, for requests without credentials. Each `purpose` has a count of its own. */
  ofAddress(ctx: Context, purpose: 'operation' | 'document'): AppError | undefined;
};

type Settings = App['config']['http']['rate_limit'];
type Buckets = { settings: Settings; budget: RateBudget; policy: string };

const makeBuckets = (settings: Settings): Buckets => {
  const { per_second: perSecond, burst } = settings;
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
  return { settings, budget: createRateBudget({ perSecond, burst }), policy };
};

const bucketsOf = nodeState('rateBuckets', ({ config }) => makeBuckets(config.http.rate_limit));

/** The buckets, which begin anew when the settings were changed while the server runs; undefined while there is no limit. */
function currentBuckets(app: App): Buckets | undefined {
  const settings = app.config.http.rate_limit;
  if (settings.per_second === 0) return undefined;
  const buckets = bucketsOf(app);
  return buckets.settings === settings ? buckets : Object.assign(buckets, makeBuckets(settings));
}

/**
 * The rate limits of docs/api/http.md. Answers carry the headers of draft-ietf-httpapi-ratelimit-headers-10: the quota is the burst, its
 * window is the time that an empty bucket takes to fill. `per_second: 0` turns the limit off.
 */
export function rateLimit(app: App): RateLimit {
  const take = (ctx: Context, subject: string, sender: string): AppError | undefined => {
    const buckets = currentBuckets(app);
    if (!buckets) return undefined;
    const { budget, policy } = buckets;
    const bucket = budget.take(subject);
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
