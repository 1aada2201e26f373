import type { Context } from 'koa';
import type { Config } from '../base/config/schema.ts';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Request-Id';
const exposedHeaders =
  'ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
/** How long browsers may cache a preflight: two hours, the most that Chromium accepts. */
const maxAgeSec = '7200';

/**
 * Lets web pages of the configured origins call the API from a browser (Fetch standard, section 3.3). The function returns whether it
 * answered the request, as it does a preflight. Undefined without configured origins. Cookies are not allowed: pages send a key or a token.
 * By hand, because it is just these headers.
 */
export function cors(config: Config): ((ctx: Context) => boolean) | undefined {
  const origins = new Set(config.http.cors.origins);
  if (origins.size === 0) return undefined;
  return (ctx) => {
    ctx.vary('Origin');
    const origin = ctx.get('origin');
    if (!origins.has(origin)) return false;
    ctx.set('Access-Control-Allow-Origin', origin);
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') {
      ctx.set('Access-Control-Expose-Headers', exposedHeaders);
      return false;
    }
    ctx.set({
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': maxAgeSec,
    });
    ctx.status = 204;
    return true;
  };
}
