import type { Tx } from '../../../db/transaction.ts';
import { resolveCanonical } from './canonical.ts';
import type { RequestedPage } from './crawl.ts';
import type { VisitResult } from './visit.ts';

/** Treatment of a page that was read: keep it as a document, only follow its links, or drop it. */
export type PageDecision = { action: 'keep'; canonical: string | null } | { action: 'follow' | 'drop'; reason: string };

export async function decidePage(
  tx: Tx,
  page: RequestedPage,
  visit: VisitResult & { found: 'page' },
): Promise<PageDecision> {
  const { extracted, directives } = visit;
  const canonical = await resolveCanonical(tx, page, extracted.pageMetadata?.canonical ?? null);
  if (canonical.isDuplicate) return { action: 'drop', reason: 'Another page of the site has the same content.' };
  if (directives.noindex) return { action: 'follow', reason: 'The page asks not to be indexed (noindex).' };
  if (page.excluded) return { action: 'follow', reason: 'Its document was deleted.' };
  if (extracted.text.trim() === '') return { action: 'follow', reason: 'The page contains no text.' };
  return { action: 'keep', canonical: canonical.url };
}
