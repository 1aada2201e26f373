import type { Tx } from '../../../db/transaction.ts';
import { crawlableUrl } from './web/links.ts';
import type { RequestedPage, PageState } from './crawl.ts';
import { findPageByCanonical, findPageByUrl } from './page-store.ts';

/**
 * A page's canonical URL if it differs from its own, and whether another page of the crawl already provides that
 * content.
 */
export type CanonicalResult = { isDuplicate: boolean; url: string | null };

const ownUrl: CanonicalResult = { isDuplicate: false, url: null };

/**
 * Resolves the canonical URL a page declares (RFC 6596). A canonical URL on another host is ignored. The page is a
 * duplicate if the canonical URL is itself crawled, or if another page is already stored under it.
 */
export async function resolveCanonical(tx: Tx, page: RequestedPage, declared: string | null): Promise<CanonicalResult> {
  const url = declared === null || page.crawl.documentId !== null ? undefined : crawlableUrl(declared, page.crawl.host);
  if (url === undefined || url === page.url) return ownUrl;
  const target = await findPageByUrl(tx, page.sourceId, 'page', url);
  // If this page is already stored under the canonical URL, only a page kept from that URL itself replaces it: the URL
  // may merely redirect back here.
  const ownsCanonical = page.canonical === url && page.documentId !== null;
  const readStates: PageState[] = ownsCanonical ? ['kept'] : ['found', 'blocked', 'asking', 'kept'];
  const isRead = target !== undefined && readStates.includes(target.state);
  const other = await findPageByCanonical(tx, page.sourceId, url);
  const isTaken = other !== undefined && other.id !== page.id && other.documentId !== null;
  return { isDuplicate: isRead || isTaken, url };
}
