import { type Selectable, sql } from 'kysely';
import { inserting, updating } from '../../../db/prepared.ts';
import type { KnowledgePagesTable } from '../../../db/schema.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { crawlOf } from './crawl-store.ts';
import type { CrawlPage, PageInHand, PageKind, PageState } from './page.ts';

type PageRow = Selectable<KnowledgePagesTable>;

const pageOf = (row: PageRow): CrawlPage => ({
  id: row.id,
  sourceId: row.source_id,
  kind: row.kind,
  url: row.url,
  depth: row.depth,
  isStart: row.is_start === 1,
  redirects: row.redirects,
  state: row.state,
  reason: row.reason,
  excluded: row.excluded === 1,
  round: row.round,
  canonical: row.canonical,
  documentId: row.document_id,
  etag: row.etag,
  lastModified: row.last_modified,
});

const insertRow = inserting('knowledge_pages');

export const insertPage = (tx: Tx, page: CrawlPage): Promise<void> =>
  insertRow(tx, {
    id: page.id,
    source_id: page.sourceId,
    kind: page.kind,
    url: page.url,
    depth: page.depth,
    is_start: Number(page.isStart),
    redirects: page.redirects,
    state: page.state,
    reason: page.reason,
    excluded: Number(page.excluded),
    round: page.round,
    canonical: page.canonical,
    document_id: page.documentId,
    etag: page.etag,
    last_modified: page.lastModified,
  });

export type PageChanges = Partial<Omit<CrawlPage, 'id' | 'sourceId' | 'kind' | 'url' | 'excluded'>>;

const updateRow = updating('knowledge_pages');

export async function updatePage(tx: Tx, id: string, changes: PageChanges): Promise<void> {
  const { isStart, documentId, lastModified, ...same } = changes;
  await updateRow(tx, id, {
    ...same,
    ...(isStart === undefined ? {} : { is_start: Number(isStart) }),
    ...(documentId === undefined ? {} : { document_id: documentId }),
    ...(lastModified === undefined ? {} : { last_modified: lastModified }),
  });
}

const of = (db: Queryable, sourceId: string) => db.selectFrom('knowledge_pages').where('source_id', '=', sourceId);

/** A page that is asked for, unless its source or base was removed. */
export async function pageInHand(db: Queryable, id: string): Promise<PageInHand | undefined> {
  const row = await db.selectFrom('knowledge_pages').selectAll().where('id', '=', id).executeTakeFirst();
  const crawl = row?.state === 'asking' ? await crawlOf(db, row.source_id) : undefined;
  return row && crawl && { ...pageOf(row), crawl };
}

export async function pageByUrl(
  db: Queryable,
  sourceId: string,
  kind: PageKind,
  url: string,
): Promise<CrawlPage | undefined> {
  const row = await of(db, sourceId).selectAll().where('kind', '=', kind).where('url', '=', url).executeTakeFirst();
  return row && pageOf(row);
}

/** A page that goes by another URL than its own, which is this one. */
export async function pageByCanonical(db: Queryable, sourceId: string, url: string): Promise<CrawlPage | undefined> {
  const row = await of(db, sourceId).selectAll().where('canonical', '=', url).executeTakeFirst();
  return row && pageOf(row);
}

/** Pages of a kind in a state, nearest to the start first. */
export async function pagesIn(
  db: Queryable,
  sourceId: string,
  state: PageState,
  { kind = 'page', atMost = 1_000_000 }: { kind?: PageKind; atMost?: number } = {},
): Promise<CrawlPage[]> {
  const rows = await of(db, sourceId)
    .selectAll()
    .where('state', '=', state)
    .where('kind', '=', kind)
    .orderBy('depth')
    .orderBy('id')
    .limit(atMost)
    .execute();
  return rows.map(pageOf);
}

/** Every URL under which a page of a crawl is known. */
export async function knownUrls(db: Queryable, sourceId: string): Promise<Set<string>> {
  const rows = await of(db, sourceId).select(['url', 'canonical']).where('kind', '=', 'page').execute();
  return new Set(rows.flatMap(({ url, canonical }) => (canonical === null ? [url] : [url, canonical])));
}

export type Counts = {
  /** Requests that wait or are under way, of any kind. */
  open: number;
  /** Pages that are kept, or may come to be by what is open. */
  taken: number;
  kept: number;
  sitemaps: number;
};

export async function countsOf(db: Queryable, sourceId: string): Promise<Counts> {
  const { rows } = await sql<{ kind: PageKind; state: PageState; pages: number }>`
    SELECT kind, state, count(*) AS pages FROM knowledge_pages WHERE source_id = ${sourceId} GROUP BY kind, state
  `.execute(db);
  const sum = (test: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(test).reduce((total, { pages }) => total + pages, 0);
  const isOpen = (state: PageState): boolean => state === 'asking' || state === 'blocked';
  return {
    open: sum(({ state }) => isOpen(state)),
    taken: sum(({ kind, state }) => kind === 'page' && (state === 'kept' || isOpen(state))),
    kept: sum(({ state }) => state === 'kept'),
    sitemaps: sum(({ kind }) => kind === 'sitemap'),
  };
}

/** The document of a page was deleted by hand. */
export async function excludePage(tx: Tx, documentId: string): Promise<void> {
  await tx
    .updateTable('knowledge_pages')
    .set({ excluded: 1, state: 'followed', document_id: null })
    .where('document_id', '=', documentId)
    .execute();
}

/** The start page, or what it redirects to. */
export async function startPages(db: Queryable, sourceId: string): Promise<CrawlPage[]> {
  const rows = await of(db, sourceId).selectAll().where('is_start', '=', 1).orderBy('redirects', 'desc').execute();
  return rows.map(pageOf);
}

/**
 * Leaves of a crawl what its next round begins with: pages that are kept or were followed, those that could not be reached or were not
 * asked for yet, and what must stay away. Where the start URL leads is found out anew.
 */
export async function prepareRound(tx: Tx, sourceId: string): Promise<void> {
  await tx
    .deleteFrom('knowledge_pages')
    .where('source_id', '=', sourceId)
    .where((eb) =>
      eb.or([
        eb('kind', '!=', 'page'),
        eb('state', '=', 'dropped').and('excluded', '=', 0).and('document_id', 'is', null),
      ]),
    )
    .execute();
  await tx
    .updateTable('knowledge_pages')
    .set({ state: 'found' })
    .where('source_id', '=', sourceId)
    .where('state', '=', 'unreachable')
    .execute();
  await tx.updateTable('knowledge_pages').set({ is_start: 0 }).where('source_id', '=', sourceId).execute();
}

export async function deletePages(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom('knowledge_pages').where('source_id', '=', sourceId).execute();
}
