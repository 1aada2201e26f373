import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { DocumentFacts } from '../documents/document.ts';
import { areFew } from '../ingestion/passages.ts';
import { writeLong } from '../ingestion/long-documents.ts';
import { judgePage } from './decide.ts';
import { beginDocument } from './page-document.ts';
import type { PageInHand } from './crawl.ts';
import { pageInHand } from './page-store.ts';
import type { Visit } from './visit.ts';

/**
 * Writes a page that is long, or was, before it is recorded, which would hold up everybody else. Whether it did: a page
 * that is not kept, or says what it said before, has none to write.
 */
export async function stagePage(app: App, page: PageInHand, visit: Visit, signal: AbortSignal): Promise<boolean> {
  if (visit.found !== 'page') return false;
  const { portions, text } = visit.extracted;
  if (await areFew(app.db, page.documentId ?? page.crawl.documentId, portions)) return false;
  const document = await transact(app.db, page.crawl.orgId, (tx) => begin(app, tx, page, visit));
  return document !== undefined && writeLong(app, document, { title: document.name, text, portions }, signal);
}

async function begin(
  app: App,
  tx: Tx,
  { id, round }: PageInHand,
  visit: Visit & { found: 'page' },
): Promise<DocumentFacts | undefined> {
  const page = await pageInHand(tx, id);
  if (page?.round !== round) return undefined;
  const judged = await judgePage(tx, page, visit);
  return judged.verdict === 'keep' ? beginDocument(app, tx, page, visit.extracted, judged.canonical) : undefined;
}
