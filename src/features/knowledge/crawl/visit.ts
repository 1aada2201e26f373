import type { App } from '../../../kernel/app.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { Extractor, ReadDocument } from '../reading/extractor.ts';
import type { RobotsAccess } from './crawl-store.ts';
import { type RobotsDirectives, parseRobotsTag } from './web/robots-tag.ts';
import type { Failure } from './failure.ts';
import { FetchError, fetchPage, type FetchedPage, gunzipIfNeeded } from './web/fetch.ts';
import { maxRedirects, type RequestedPage } from './crawl.ts';
import { maxRobotsBytes, parseRobots } from './web/robots.ts';
import { parseSitemap, type Sitemap } from './web/sitemap.ts';

/** The crawler's name in robots.txt (docs/api/knowledge.md, "Crawling"). */
const productToken = 'parley';

/** The result of fetching a page. */
export type VisitResult =
  | { found: 'robots'; access: RobotsAccess }
  | { found: 'sitemap'; sitemap: Sitemap }
  | {
      found: 'page';
      extracted: ReadDocument;
      directives: RobotsDirectives;
      etag: string | null;
      lastModified: string | null;
    }
  | { found: 'unchanged' }
  | { found: 'redirect'; to: string }
  | ({ found: 'failure' } & Failure);

/** Fetches and reads a page; writes nothing, so it may be repeated. @throws the signal's reason, and internal errors */
export async function visit(
  app: App,
  extractor: Extractor,
  page: RequestedPage,
  signal: AbortSignal,
): Promise<VisitResult> {
  try {
    if (page.kind === 'robots') return await visitRobots(app, page.url, signal);
    if (page.kind === 'sitemap') return await visitSitemap(app, page.url, signal);
    return await visitPage(app, extractor, page, signal);
  } catch (error) {
    if (error instanceof FetchError) return { found: 'failure', reason: error.message, temporary: error.temporary };
    if (error instanceof ExtractionError) return { found: 'failure', reason: error.message, temporary: false };
    throw error;
  }
}

const maxBytesOf = ({ config }: App): number => config.knowledge.crawl.max_page_bytes;

/**
 * Fetches a robots.txt. 4xx allows everything, 5xx or no answer forbids everything; redirects are followed to any host (RFC 9309, 2.3.1).
 */
async function visitRobots(app: App, url: string, signal: AbortSignal): Promise<VisitResult> {
  const { host } = new URL(url);
  const forbidAll = (why: string): VisitResult => ({
    found: 'robots',
    access: { forbidden: `The robots.txt of ${host} could not be read, so no page there may be fetched: ${why}` },
  });
  try {
    let answer = await fetchPage(app, url, { maxBytes: maxBytesOf(app), signal });
    let currentUrl = url;
    for (let step = 0; step < maxRedirects && isRedirect(answer); step += 1) {
      currentUrl = redirectTarget(answer, currentUrl);
      answer = await fetchPage(app, currentUrl, { maxBytes: maxBytesOf(app), signal });
    }
    if (answer.status >= 500) return forbidAll(`the site answers ${answer.status}.`);
    const text = answer.status < 300 ? answer.bytes.subarray(0, maxRobotsBytes).toString('utf8') : '';
    return { found: 'robots', access: { robots: parseRobots(text, productToken) } };
  } catch (error) {
    if (error instanceof FetchError) return forbidAll(error.message);
    throw error;
  }
}

async function visitSitemap(app: App, url: string, signal: AbortSignal): Promise<VisitResult> {
  const maxBytes = maxBytesOf(app);
  const answer = await fetchPage(app, url, { maxBytes, signal });
  if (isRedirect(answer)) return { found: 'redirect', to: redirectTarget(answer, url) };
  if (answer.status >= 300) return httpFailure(answer.status);
  const text = (await gunzipIfNeeded(answer.bytes, maxBytes)).toString('utf8');
  return { found: 'sitemap', sitemap: parseSitemap(text) };
}

async function visitPage(
  app: App,
  extractor: Extractor,
  page: RequestedPage,
  signal: AbortSignal,
): Promise<VisitResult> {
  const answer = await fetchPage(app, page.url, {
    maxBytes: maxBytesOf(app),
    headers: conditionalHeaders(page),
    signal,
  });
  if (answer.status === 304) return { found: 'unchanged' };
  if (isRedirect(answer)) return { found: 'redirect', to: redirectTarget(answer, page.url) };
  if (answer.status >= 300) return httpFailure(answer.status);
  const extracted = await extractor.extract(page.crawl.orgId, inputOf(answer, page.url), signal);
  const directives = parseRobotsTag(answer.headers['x-robots-tag'], productToken);
  return {
    found: 'page',
    extracted,
    directives: {
      noindex: directives.noindex || extracted.pageMetadata?.noindex === true,
      nofollow: directives.nofollow || extracted.pageMetadata?.nofollow === true,
    },
    etag: answer.headers.etag ?? null,
    lastModified: answer.headers['last-modified'] ?? null,
  };
}

function inputOf({ bytes, headers }: FetchedPage, url: string) {
  const name = new URL(url).pathname.split('/').at(-1)!;
  return {
    bytes,
    url,
    ...(name === '' ? {} : { name }),
    ...(headers['content-type'] ? { contentType: headers['content-type'] } : {}),
  };
}

/** Validators from the last response, for a conditional request (RFC 9110, 13.1). */
const conditionalHeaders = ({ etag, lastModified }: RequestedPage): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
});

const isRedirect = ({ status, headers }: FetchedPage): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;

/** @throws FetchError when the target is not an http or https URL */
function redirectTarget({ headers }: FetchedPage, from: string): string {
  const target = URL.parse(headers.location!, from);
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new FetchError('It redirects to something other than an http: or https: URL.', false);
  }
  target.hash = '';
  return target.href;
}

const httpFailure = (status: number): VisitResult => ({
  found: 'failure',
  reason: `The site answers ${status}${statusHints[status] ?? ''}.`,
  temporary: status >= 500 || status === 429 || status === 408,
});

const statusHints: Readonly<Record<number, string>> = {
  401: ': the page requires signing in',
  403: ': the site refuses access to the page',
  404: ': the page does not exist',
  410: ': the page is gone',
  429: ': too many requests',
};
