import type { App } from '../../../kernel/app.ts';

/** A crawl is a set of requests (pages), each a job of its own, so that it goes on where it was after a crash. */
export type Crawl = {
  sourceId: string;
  orgId: string;
  baseId: string;
  /** The document that its one page becomes; null for a site. */
  documentId: string | null;
  /** Host and port of its pages. */
  host: string;
  /** 1, and one more with each refresh. */
  round: number;
  maxPages: number;
  maxDepth: number;
  /** Made in this round. */
  requests: number;
};

export type PageKind = 'robots' | 'sitemap' | 'page';
export type PageState = 'found' | 'blocked' | 'asking' | 'kept' | 'followed' | 'unreachable' | 'dropped';

/** Whether a request waits or is under way. */
export const isOpen = ({ state }: { state: PageState }): boolean => state === 'asking' || state === 'blocked';

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
  /** Its document was deleted by hand: it is read for its links alone. */
  excluded: boolean;
  round: number;
  canonical: string | null;
  documentId: string | null;
  etag: string | null;
  lastModified: string | null;
};

/** A page that is asked for, with what it belongs to. */
export type PageInHand = CrawlPage & { crawl: Crawl };

/** Links that are remembered of a site, so that one without end fills no disk. */
export const maxPagesKnown = (crawl: Pick<Crawl, 'maxPages'>): number => 20 * crawl.maxPages + 50;

/** Requests after which a round asks for no further page, so that a site of broken links comes to an end. */
export const maxRequests = (crawl: Pick<Crawl, 'maxPages'>): number => 5 * crawl.maxPages;

export const maxRedirects = 5;
export const maxSitemaps = 10;

/** Crawls of one host share its lane, whoever they are for: that is what keeps to so many requests at a time. */
export const laneOf = (host: string): string => `site:${host}`;

/** A page that was found and not asked for yet. */
export const newPage = (
  app: App,
  crawl: Crawl,
  given: Pick<CrawlPage, 'kind' | 'url' | 'depth'> & Partial<Pick<CrawlPage, 'isStart' | 'redirects' | 'state'>>,
): CrawlPage => ({
  isStart: false,
  redirects: 0,
  state: 'found',
  ...given,
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
