import { isHttps } from '../../base/config/https.ts';
import type { Config } from '../../base/config/schema.ts';

/**
 * Headers of every answer (OWASP REST Security Cheat Sheet): browsers must not store customers' data, guess its type, run it or frame
 * it. Pages that need more override them. By hand, because a library would bring a dependency for eight constants.
 */
export function securityHeadersOf(config: Config): Map<string, string> {
  const headers = new Map([
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
  ]);
  if (isHttps(config)) headers.set('Strict-Transport-Security', 'max-age=31536000');
  return headers;
}
