import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'koa';
import { AppError, messageOf } from '../../base/errors.ts';
import { memoize } from '../../base/memoize.ts';
import type { App } from '../../kernel/app.ts';
import type { Handler } from '../handler.ts';
import type { DashboardBuild } from './build.ts';
import { errorPage } from './html.ts';

/** Loads the built dashboard; called once, when the first page is asked for. */
export type LoadDashboard = () => Promise<DashboardBuild>;

/** Pages load their own scripts and styles, and talk to this server; nothing on them can become a script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page on which one talks to an agent. */
const talkingPage = '/agents/{id}';

/** Headers of pages, in addition to those of every answer (output/security-headers.ts). */
const pageHeaders = (path: string) => ({
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': `camera=(), microphone=(${path === talkingPage ? 'self' : ''}), geolocation=(), display-capture=(), payment=(), usb=()`,
  'Cache-Control': 'no-cache',
});

const assetCaching = 'public, max-age=31536000, immutable';

const decompress = promisify(gunzip);

export type Dashboard = {
  page(path: string): Handler;
  asset: Handler;
  /** Answers with a page if `error` says that there is nothing, and the client accepts a page. Returns whether it did. */
  answerNotFound(ctx: Context, error: unknown): Promise<boolean>;
};

export function createDashboard(app: App, load: LoadDashboard): Dashboard {
  const build = lazy(async () => {
    try {
      return await load();
    } catch (error) {
      app.log.error({ err: error }, 'the dashboard could not be loaded');
      throw notBuilt(error);
    }
  });
  const contents = memoize(500, async (key: string) => contentsOf((await build()).assets, key));

  return {
    page: (path) => async (ctx) => {
      const group = path.split('/')[1]!;
      try {
        const { pages } = await build();
        sendPage(ctx, 200, pages[group === '' ? 'overview' : group] ?? pages['']!, path);
      } catch (error) {
        sendPage(ctx, 503, errorPage('The dashboard is not available', [messageOf(error)]));
      }
    },
    async asset(ctx, { name = '' }) {
      const { assets } = await build();
      if (!Object.hasOwn(assets, name)) {
        const message = 'There is no such file. The dashboard may have been updated: load the page again.';
        throw new AppError('not_found', message);
      }
      ctx.set({ 'Cache-Control': assetCaching, 'Content-Type': assets[name]!.type });
      ctx.vary('Accept-Encoding');
      const encoding = ['br', 'gzip'].find((each) => ctx.acceptsEncodings(each) === each) ?? 'identity';
      if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
      ctx.body = await contents(`${encoding} ${name}`);
    },
    async answerNotFound(ctx, error) {
      if (!(error instanceof AppError && error.kind === 'not_found') || !acceptsPage(ctx)) return false;
      ctx.vary('Accept');
      sendPage(ctx, 404, (await build().catch(() => undefined))?.notFound ?? plainNotFound);
      return true;
    },
  };
}

const plainNotFound = errorPage('Not found', ['There is nothing at this address.']);

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

async function contentsOf(assets: DashboardBuild['assets'], key: string): Promise<Buffer> {
  const [encoding = '', name = ''] = key.split(' ');
  const { br, gzip } = assets[name]!;
  if (encoding === 'br') return Buffer.from(br, 'base64');
  const compressed = Buffer.from(gzip, 'base64');
  return encoding === 'gzip' ? compressed : decompress(compressed);
}

/** Only what a person opens gets a page; programs and the dashboard's own requests read JSON. */
const acceptsPage = (ctx: Context): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  !ctx.path.startsWith('/api/') &&
  ctx.accepts('application/json', 'text/html') === 'text/html';

function sendPage(ctx: Context, status: number, markup: string, path = ''): void {
  ctx.set(pageHeaders(path));
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = markup;
}

const notBuilt = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The dashboard is not built. In a checkout parley builds it on the first visit, with esbuild: run `npm ci` and ' +
      'start parley again; the log says what went wrong. The API works without it.',
    { cause },
  );
