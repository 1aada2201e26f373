import type { Tx } from '../../../db/transaction.ts';
import { canonicalOf } from './canonical.ts';
import type { PageInHand } from './crawl.ts';
import type { Visit } from './visit.ts';

/** What becomes of a page that was read: a document, a way to others, or nothing. */
export type Verdict = { verdict: 'keep'; canonical: string | null } | { verdict: 'follow' | 'drop'; reason: string };

export async function judgePage(tx: Tx, page: PageInHand, visit: Visit & { found: 'page' }): Promise<Verdict> {
  const { extracted, directives } = visit;
  const canonical = await canonicalOf(tx, page, extracted.pageMetadata?.canonical ?? null);
  if (canonical.isElsewhere) return { verdict: 'drop', reason: 'Another page of the site says the same.' };
  if (directives.noindex) return { verdict: 'follow', reason: 'The page asks not to be kept (noindex).' };
  if (page.excluded) return { verdict: 'follow', reason: 'Its document was deleted.' };
  if (extracted.text.trim() === '') return { verdict: 'follow', reason: 'There is no text on the page.' };
  return { verdict: 'keep', canonical: canonical.url };
}
