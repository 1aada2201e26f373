import { type Selectable, sql } from 'kysely';
import { insertInto, updateById } from '../../../db/prepared.ts';
import type { KnowledgePagesTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { crawlOf } from './crawl-store.ts';
import { type Crawl, type CrawlPage, isOpen, type PageInHand, type PageKind, type PageState } from './crawl.ts';

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

const insertRow = insertInto('knowledge_pages');

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

const updateRow = updateById('knowledge_pages');

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
  if (!row || !crawl) return undefined;
  // What the start URL leads to is the site, whatever host an earlier round found it on.
  return { ...pageOf(row), crawl: row.is_start === 1 ? { ...crawl, host: new URL(row.url).host } : crawl };
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

/** Requests of a crawl in a state, of any kind, nearest to the start first. */
export async function pagesIn(db: Queryable, sourceId: string, state: PageState): Promise<CrawlPage[]> {
  const rows = await of(db, sourceId).selectAll().where('state', '=', state).orderBy('depth').orderBy('id').execute();
  return rows.map(pageOf);
}

/** What the round did not ask for yet and always has room for: sitemaps that were found, and then pages that are kept. */
export async function firstToAsk(db: Queryable, { sourceId, round }: Crawl, atMost: number): Promise<CrawlPage[]> {
  const rows = await of(db, sourceId)
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('kind', '=', 'sitemap').and('state', '=', 'found'),
        eb('kind', '=', 'page').and('state', '=', 'kept').and('round', '<', round),
      ]),
    )
    .orderBy('kind', 'desc')
    .orderBy('depth')
    .orderBy('id')
    .limit(atMost)
    .execute();
  return rows.map(pageOf);
}

/**
 * Pages that may come to be kept, and that the round did not ask for yet: first those that others are found by, then those that were
 * found, at last those that brought nothing at an earlier time; nearest to the start first.
 */
export async function othersToAsk(db: Queryable, { sourceId, round }: Crawl, atMost: number): Promise<CrawlPage[]> {
  const turn = sql<number>`CASE state WHEN 'followed' THEN 1 WHEN 'found' THEN 2 ELSE 3 END`;
  const rows = await of(db, sourceId)
    .selectAll()
    .where('kind', '=', 'page')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'found'),
        eb('state', 'in', ['followed', 'unreachable', 'dropped']).and('round', '<', round),
      ]),
    )
    .orderBy(turn)
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
  return {
    open: sum(isOpen),
    taken: sum((row) => row.kind === 'page' && (row.state === 'kept' || isOpen(row))),
    kept: sum(({ state }) => state === 'kept'),
    sitemaps: sum(({ kind }) => kind === 'sitemap'),
  };
}

/** The document of a page was deleted by hand. What is asked for meanwhile goes on being so: its end is what the round waits for. */
export async function excludePage(tx: Tx, documentId: string): Promise<void> {
  await tx
    .updateTable('knowledge_pages')
    .set({
      excluded: 1,
      document_id: null,
      state: sql<PageState>`CASE state WHEN 'kept' THEN 'followed' ELSE state END`,
    })
    .where('document_id', '=', documentId)
    .execute();
}

/** The start page, or what it redirects to. */
export async function startPage(db: Queryable, sourceId: string): Promise<CrawlPage | undefined> {
  const row = await of(db, sourceId)
    .selectAll()
    .where('is_start', '=', 1)
    .orderBy('redirects', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && pageOf(row);
}

/**
 * Leaves of a crawl what its next round begins with: its pages, but of those that brought nothing only so many, the last that were
 * found. What a link leads to is not forgotten, since the page with the link may say that it did not change. Where the start URL leads
 * is found out anew.
 */
export async function prepareRound(tx: Tx, { sourceId, maxPages }: Crawl): Promise<void> {
  await sql`
    DELETE FROM knowledge_pages
    WHERE source_id = ${sourceId} AND (
      kind <> 'page'
      OR (is_start = 1 AND document_id IS NULL AND excluded = 0 AND state NOT IN ('kept', 'followed'))
      OR (state = 'dropped' AND excluded = 0 AND id NOT IN (
        SELECT id FROM knowledge_pages WHERE source_id = ${sourceId} AND state = 'dropped' AND is_start = 0
        ORDER BY id DESC LIMIT ${maxPages}
      ))
    )`.execute(tx);
  await tx.updateTable('knowledge_pages').set({ is_start: 0 }).where('source_id', '=', sourceId).execute();
  for (const page of await pagesIn(tx, sourceId, 'blocked')) await unblockPage(tx, page);
}

/** A page that waited for a robots.txt is as it was before: nobody asked for it. */
export const unblockPage = (tx: Tx, { id, documentId }: CrawlPage): Promise<void> =>
  updatePage(tx, id, { state: documentId === null ? 'found' : 'kept' });

export async function deletePages(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom('knowledge_pages').where('source_id', '=', sourceId).execute();
}
