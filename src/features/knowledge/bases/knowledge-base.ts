/*
 * Agents look things up in knowledge bases during calls. A base has sources, a source has documents (docs/api/knowledge.md).
 */

export const sourceTypes = ['text', 'url', 'file', 'document'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Progress of a source or document. With `error`, the `error` field says why. */
export const workStatuses = ['pending', 'processing', 'complete', 'error'] as const;
export type WorkStatus = (typeof workStatuses)[number];

export const baseStatuses = ['in_progress', 'error', 'complete'] as const;
export type BaseStatus = (typeof baseStatuses)[number];

export type KnowledgeBase = {
  id: string;
  orgId: string;
  name: string;
  /** Whether the base's sites are crawled again every `knowledge.refresh_hours`. */
  enableAutoRefresh: boolean;
  documentCount: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type Source = {
  id: string;
  orgId: string;
  baseId: string;
  type: SourceType;
  /** Title, file name or URL. */
  name: string;
  url: string | null;
  status: WorkStatus;
  error: string | null;
  createdAt: number;
  updatedAt: number;
};

/** Pages of a source's crawl: those with a document, and those that the current round still has to read. */
export type CrawlProgress = { pagesFound: number; pagesWaiting: number };

export type CountedSource = Source & CrawlProgress;

/** A source that crawls a site. */
export type UrlSource = CountedSource & { url: string };

export const isUrlSource = (source: CountedSource): source is UrlSource => source.type === 'url' && source.url !== null;

/** How many sources of a base have a type and a status. */
export type SourceCount = { type: SourceType; status: WorkStatus; sources: number };

export const sumOf = (counts: readonly SourceCount[]): number => counts.reduce((sum, { sources }) => sum + sources, 0);

/** `in_progress` while any source is pending or processing, `error` if all failed, else `complete`. */
export function statusOf(counts: readonly SourceCount[]): BaseStatus {
  const present = counts.filter(({ sources }) => sources > 0);
  if (present.some(({ status }) => status === 'pending' || status === 'processing')) return 'in_progress';
  const failed = present.length > 0 && present.every(({ status }) => status === 'error');
  return failed ? 'error' : 'complete';
}
