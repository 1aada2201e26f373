import type { Tx } from '../../../db/transaction.ts';
import { crawlable } from './web/links.ts';
import type { PageInHand, PageState } from './crawl.ts';
import { pageByCanonical, pageByUrl } from './page-store.ts';

/** The URL that a page goes by, where that is not its own; or what it says is had from another page of the site. */
export type Canonical = { isElsewhere: boolean; url: string | null };

const itsOwn: Canonical = { isElsewhere: false, url: null };

/**
 * Judges what a page says of its canonical URL (RFC 6596). One on another host says nothing of this site; one that is read itself, or
 * that another page goes by, makes this page a copy.
 */
export async function canonicalOf(tx: Tx, page: PageInHand, given: string | null): Promise<Canonical> {
  const url = given === null || page.crawl.documentId !== null ? undefined : crawlable(given, page.crawl.host);
  if (url === undefined || url === page.url) return itsOwn;
  const named = await pageByUrl(tx, page.sourceId, 'page', url);
  // What is kept under that URL stays so until it is had from the URL itself, which may as well only lead back here.
  const goesByIt = page.canonical === url && page.documentId !== null;
  const readStates: PageState[] = goesByIt ? ['kept'] : ['found', 'blocked', 'asking', 'kept'];
  const isRead = named !== undefined && readStates.includes(named.state);
  const other = await pageByCanonical(tx, page.sourceId, url);
  const isTaken = other !== undefined && other.id !== page.id && other.documentId !== null;
  return { isElsewhere: isRead || isTaken, url };
}
