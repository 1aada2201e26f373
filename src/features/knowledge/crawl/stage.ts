import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { DocumentWithoutText } from '../documents/document.ts';
import { fitOneTransaction } from '../ingestion/passages.ts';
import { writeLongDocument } from '../ingestion/long-documents.ts';
import { decidePage } from './decide.ts';
import { startPageDocument } from './page-document.ts';
import type { RequestedPage } from './crawl.ts';
import { findRequestedPage } from './page-store.ts';
import type { VisitResult } from './visit.ts';

/**
 * Writes a long page (or one that was long before) in the background, in many small transactions, because recording it in one would delay
 * all other writers.
 * @throws the signal's reason once it is aborted
 * @returns true if the page was written; false if it is short, unchanged or not kept
 */
export async function stageLongPage(
  app: App,
  page: RequestedPage,
  visit: VisitResult,
  signal: AbortSignal,
): Promise<boolean> {
  if (visit.found !== 'page') return false;
  const { portions, text } = visit.extracted;
  if (await fitOneTransaction(app.db, page.documentId ?? page.crawl.documentId, portions)) return false;
  const document = await transact(app.db, page.crawl.orgId, (tx) => begin(app, tx, page, visit));
  return document !== undefined && writeLongDocument(app, document, { title: document.name, text, portions }, signal);
}

async function begin(
  app: App,
  tx: Tx,
  { id, round }: RequestedPage,
  visit: VisitResult & { found: 'page' },
): Promise<DocumentWithoutText | undefined> {
  const page = await findRequestedPage(tx, id);
  if (page?.round !== round) return undefined;
  const decision = await decidePage(tx, page, visit);
  return decision.action === 'keep' ? startPageDocument(app, tx, page, visit.extracted, decision.canonical) : undefined;
}
