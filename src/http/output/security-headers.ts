import type { Middleware } from 'koa';
import type { Config } from '../../base/config/schema.ts';

/**
 * What every answer tells browsers: it is data of a customer, to be kept nowhere, taken for nothing but what it says it is, and never
 * run or framed. A page that needs more sets its own (OWASP's REST Security Cheat Sheet). By hand: they are eight constants.
 */
export function securityHeadersOf(config: Config): Map<string, string> {
  const isHttps = config.http.public_url?.startsWith('https:') === true;
  const headers = new Map([
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
  ]);
  if (isHttps) headers.set('Strict-Transport-Security', 'max-age=31536000');
  return headers;
}

export function securityHeaders(config: Config): Middleware {
  const headers = securityHeadersOf(config);
  return (ctx, next) => {
    ctx.res.setHeaders(headers);
    return next();
  };
}
