import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import type { App } from '../kernel/app.ts';
import { appLocal } from '../kernel/node.ts';
import { throughTrustedProxy } from './client-address.ts';

/** The origin of a request, as the browser says: a page of this server, another page, or unknown if it is no browser. */
type Sender = 'own page' | 'other page' | 'unknown';

/** Decides by `Sec-Fetch-Site` or, since browsers do not send that header over plain http to other machines, by `Origin`. */
const senderRule = appLocal((app) => {
  const originsOf = ownOrigins(app);
  return (ctx: Context): Sender => {
    const { 'sec-fetch-site': site, origin } = ctx.headers;
    if (site !== undefined) return site === 'same-origin' ? 'own page' : 'other page';
    if (origin === undefined) return 'unknown';
    return originsOf(ctx).includes(origin.toLowerCase()) ? 'own page' : 'other page';
  };
});

/**
 * The origins that pages of this server may have: that of `http.public_url`, and the address to which the request was sent. Not the latter
 * where `http.public_url` is https: whoever controls the network can serve a page at the same address over http.
 */
function ownOrigins({ config }: App): (ctx: Context) => string[] {
  const { public_url: publicUrl } = config.http;
  const configured = publicUrl === null ? [] : [new URL(publicUrl).origin];
  if (publicUrl?.startsWith('https:')) return () => configured;
  const isProxied = throughTrustedProxy(config);
  const ownScheme = config.tls.cert_file === null ? 'http' : 'https';
  return (ctx) => [...configured, ...originOf(addressOf(ctx, isProxied(ctx), ownScheme))];
}

/** The address to which a request was sent. Not Koa's `ctx.origin`, which is the request's own `Origin` header. */
function addressOf(ctx: Context, isProxied: boolean, ownScheme: string): string {
  const forwarded = (name: string): string => (isProxied ? ctx.get(name).split(',')[0]!.trim() : '');
  return `${forwarded('x-forwarded-proto') || ownScheme}://${forwarded('x-forwarded-host') || ctx.get('host')}`;
}

const originOf = (url: string): string[] => (URL.canParse(url) ? [new URL(url).origin] : []);

/** Whether a session cookie counts on a method that may change something: only when a page of this server sent the request. */
export const isFromOwnPage = (app: App, ctx: Context): boolean => senderRule(app)(ctx) === 'own page';

/** @throws forbidden when the browser says that a page of another origin made the request */
export function refuseOtherOrigins(app: App, ctx: Context): void {
  if (senderRule(app)(ctx) === 'other page') throw otherOrigin();
}

export const otherOrigin = (): AppError =>
  new AppError(
    'forbidden',
    'A session counts here only for requests from the pages of this server. Programs send an API key or an access token instead.',
  );
