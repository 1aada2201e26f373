import type { App } from '../../../kernel/app.ts';

/** The crawl of a source. Each of its pages is fetched by a job of its own, so that a crash interrupts nothing else. */
export type Crawl = {
  sourceId: string;
  orgId: string;
  baseId: string;
  /** The document whose only page is fetched; null for a site. */
  documentId: string | null;
  /** Host and port of the site. */
  host: string;
  /** Counts from 1; every refresh or re-added URL starts the next round. */
  round: number;
  maxPages: number;
  maxDepth: number;
  /** Requests made in this round. */
  requests: number;
};

export type PageKind = 'robots' | 'sitemap' | 'page';
export type PageState = 'found' | 'blocked' | 'asking' | 'kept' | 'followed' | 'unreachable' | 'dropped';

/** Whether a request is enqueued, running, or waiting for a robots.txt. */
export const isPending = ({ state }: { state: PageState }): boolean => state === 'asking' || state === 'blocked';

export type CrawlPage = {
  id: string;
  sourceId: string;
  kind: PageKind;
  url: string;
  depth: number;
  isStart: boolean;
  redirects: number;
  state: PageState;
  reason: string | null;
  /** Whether the user deleted the page's document; the page is then read only for its links. */
  excluded: boolean;
  round: number;
  canonical: string | null;
  documentId: string | null;
  etag: string | null;
  lastModified: string | null;
};

/** A page whose fetch is enqueued or running, with its crawl. */
export type RequestedPage = CrawlPage & { crawl: Crawl };

/** Limit on the pages stored per crawl, so that an endless site does not fill the disk. */
export const maxDiscoveredPages = (crawl: Pick<Crawl, 'maxPages'>): number => 20 * crawl.maxPages + 50;

/** Limit on the requests of a round, so that a site full of broken links or redirects comes to an end. */
export const maxRequests = (crawl: Pick<Crawl, 'maxPages'>): number => 5 * crawl.maxPages;

/** Pages of a crawl that are requested at a time. More would only wait: a host is asked by few requests at once. */
export const maxPending = 8;

export const maxRedirects = 5;
export const maxSitemaps = 10;

/** All crawls of a host share its lane, across organizations, which limits the concurrent requests to the host. */
export const hostLane = (host: string): string => `site:${host}`;

/** A newly found page that has not been requested. */
export const newPage = (
  app: App,
  crawl: Crawl,
  fields: Pick<CrawlPage, 'kind' | 'url' | 'depth'> & Partial<Pick<CrawlPage, 'isStart' | 'redirects' | 'state'>>,
): CrawlPage => ({
  isStart: false,
  redirects: 0,
  state: 'found',
  ...fields,
  id: app.ids.make(),
  sourceId: crawl.sourceId,
  reason: null,
  excluded: false,
  round: crawl.round,
  canonical: null,
  documentId: null,
  etag: null,
  lastModified: null,
});
