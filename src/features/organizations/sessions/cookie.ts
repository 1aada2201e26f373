import { isHttps } from '../../../base/config/https.ts';
import type { App } from '../../../kernel/app.ts';

type CookieApp = Pick<App, 'config' | 'secrets'>;

/**
 * The session cookie's name. It holds the installation's id, because cookies know no ports: two servers on one machine would otherwise
 * replace each other's. `__Host-` makes browsers refuse the cookie from plain http and from subdomains.
 */
export const cookieName = (app: CookieApp): string =>
  `${isHttps(app.config) ? '__Host-' : ''}parley_${app.secrets.installationId}`;

/** The `Set-Cookie` header that gives a browser its session. */
export const sessionCookie = (app: CookieApp, secret: string): string =>
  cookieOf(app, secret, app.config.auth.session.max_sec);

/** The `Set-Cookie` header that removes the cookie. */
export const expiredCookie = (app: CookieApp): string => cookieOf(app, '', 0);

const cookieOf = (app: CookieApp, value: string, maxAgeSec: number): string =>
  [
    `${cookieName(app)}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSec}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(app.config) ? ['Secure'] : []),
  ].join('; ');

/** Another server on the machine can add cookies of the same name with longer paths; more than this many are ignored. */
const maxCookies = 8;

/** The values of all session cookies in a `Cookie` header. By hand, because cookie libraries return only the first of a name. */
export function sessionSecretsIn(app: CookieApp, header: string | undefined): string[] {
  if (header === undefined) return [];
  const name = `${cookieName(app)}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
  return [...new Set(values)].slice(0, maxCookies);
}
