import type { App } from '../../../kernel/app.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { Extractor, ReadDocument } from '../reading/extractor.ts';
import type { Permission } from './crawl-store.ts';
import { type Directives, robotsTag } from './web/robots-tag.ts';
import type { Failure } from './failure.ts';
import { FetchError, fetchPage, type Fetched, gunzipped } from './web/fetch.ts';
import { maxRedirects, type PageInHand } from './crawl.ts';
import { maxRobotsBytes, parseRobots } from './web/robots.ts';
import { parseSitemap, type Sitemap } from './web/sitemap.ts';

/** The product token of robots.txt (contract, section 10). */
const agentToken = 'parley';

/** What came of asking for a page. */
export type Visit =
  | { found: 'robots'; permission: Permission }
  | { found: 'sitemap'; sitemap: Sitemap }
  | { found: 'page'; extracted: ReadDocument; directives: Directives; etag: string | null; lastModified: string | null }
  | { found: 'unchanged' }
  | { found: 'redirect'; to: string }
  | ({ found: 'nothing' } & Failure);

/** Asks for a page and reads it; that may be repeated. @throws the signal's reason once it is aborted, and defects */
export async function visit(app: App, extractor: Extractor, page: PageInHand, signal: AbortSignal): Promise<Visit> {
  try {
    if (page.kind === 'robots') return await visitRobots(app, page.url, signal);
    if (page.kind === 'sitemap') return await visitSitemap(app, page.url, signal);
    return await visitPage(app, extractor, page, signal);
  } catch (error) {
    if (error instanceof FetchError) return { found: 'nothing', reason: error.message, passing: error.passing };
    if (error instanceof ExtractionError) return { found: 'nothing', reason: error.message, passing: false };
    throw error;
  }
}

const maxBytesOf = ({ config }: App): number => config.knowledge.crawl.max_page_bytes;

/** 4xx allows, 5xx or no answer forbids (RFC 9309, 2.3.1); redirects lead to it wherever they lead. */
async function visitRobots(app: App, url: string, signal: AbortSignal): Promise<Visit> {
  const { host } = new URL(url);
  const forbids = (why: string): Visit => ({
    found: 'robots',
    permission: { forbidden: `The robots.txt of ${host} could not be read, so nothing there may be: ${why}` },
  });
  try {
    let answer = await fetchPage(app, url, { maxBytes: maxBytesOf(app), signal });
    let at = url;
    for (let step = 0; step < maxRedirects && isRedirect(answer); step += 1) {
      at = targetOf(answer, at);
      answer = await fetchPage(app, at, { maxBytes: maxBytesOf(app), signal });
    }
    if (answer.status >= 500) return forbids(`it is answered ${answer.status}.`);
    const text = answer.status < 300 ? answer.bytes.subarray(0, maxRobotsBytes).toString('utf8') : '';
    return { found: 'robots', permission: { robots: parseRobots(text, agentToken) } };
  } catch (error) {
    if (error instanceof FetchError) return forbids(error.message);
    throw error;
  }
}

async function visitSitemap(app: App, url: string, signal: AbortSignal): Promise<Visit> {
  const maxBytes = maxBytesOf(app);
  const answer = await fetchPage(app, url, { maxBytes, signal });
  if (isRedirect(answer)) return { found: 'redirect', to: targetOf(answer, url) };
  if (answer.status >= 300) return refused(answer.status);
  const text = (await gunzipped(answer.bytes, maxBytes)).toString('utf8');
  return { found: 'sitemap', sitemap: parseSitemap(text) };
}

async function visitPage(app: App, extractor: Extractor, page: PageInHand, signal: AbortSignal): Promise<Visit> {
  const answer = await fetchPage(app, page.url, { maxBytes: maxBytesOf(app), headers: conditionsOf(page), signal });
  if (answer.status === 304) return { found: 'unchanged' };
  if (isRedirect(answer)) return { found: 'redirect', to: targetOf(answer, page.url) };
  if (answer.status >= 300) return refused(answer.status);
  const extracted = await extractor.extract(inputOf(answer, page.url), signal);
  const directives = robotsTag(answer.headers['x-robots-tag'], agentToken);
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

function inputOf({ bytes, headers }: Fetched, url: string) {
  const name = new URL(url).pathname.split('/').at(-1)!;
  return {
    bytes,
    url,
    ...(name === '' ? {} : { name }),
    ...(headers['content-type'] ? { contentType: headers['content-type'] } : {}),
  };
}

/** RFC 9110, 13.1: only what was answered with them before. */
const conditionsOf = ({ etag, lastModified }: PageInHand): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
});

const isRedirect = ({ status, headers }: Fetched): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;

/** @throws FetchError for a target that is no web page */
function targetOf({ headers }: Fetched, from: string): string {
  const target = URL.parse(headers.location!, from);
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new FetchError('It redirects to something that is no http: or https: URL.', false);
  }
  target.hash = '';
  return target.href;
}

const refused = (status: number): Visit => ({
  found: 'nothing',
  reason: `The site answers ${status}${meanings[status] ?? ''}.`,
  passing: status >= 500 || status === 429 || status === 408,
});

const meanings: Readonly<Record<number, string>> = {
  401: ': a page must be readable without signing in',
  403: ': it does not let parley read the page',
  404: ': there is no such page',
  410: ': the page is gone',
  429: ': it is asked too often',
};
