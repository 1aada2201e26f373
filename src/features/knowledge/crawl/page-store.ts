import { type Selectable, sql } from 'kysely';
import { insertInto, prepared, updateById } from '../../../db/prepared.ts';
import type { KnowledgePagesTable } from '../../../db/schema.generated.ts';
import { listOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { findCrawl } from './crawl-store.ts';
import type { Crawl, CrawlPage, RequestedPage, PageKind, PageState } from './crawl.ts';

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

const pagesOf = (db: Queryable, sourceId: string) => db.selectFrom('knowledge_pages').where('source_id', '=', sourceId);

const selectById = prepared((db, p: { id: string }) =>
  db.selectFrom('knowledge_pages').selectAll().where('id', '=', p.id),
);

/** A page whose fetch is enqueued or running; undefined if it is not requested, or its source or base was removed. */
export async function findRequestedPage(db: Queryable, id: string): Promise<RequestedPage | undefined> {
  const [row] = (await selectById(db, { id })).rows;
  const crawl = row?.state === 'asking' ? await findCrawl(db, row.source_id) : undefined;
  if (!row || !crawl) return undefined;
  // The start page decides the site's host, so the host found by an earlier round does not count for it.
  return { ...pageOf(row), crawl: row.is_start === 1 ? { ...crawl, host: new URL(row.url).host } : crawl };
}

const selectByUrl = prepared((db, p: { sourceId: string; kind: PageKind; url: string }) =>
  pagesOf(db, p.sourceId).selectAll().where('kind', '=', p.kind).where('url', '=', p.url),
);

export async function findPageByUrl(
  db: Queryable,
  sourceId: string,
  kind: PageKind,
  url: string,
): Promise<CrawlPage | undefined> {
  const [row] = (await selectByUrl(db, { sourceId, kind, url })).rows;
  return row && pageOf(row);
}

const selectByCanonical = prepared((db, p: { sourceId: string; url: string }) =>
  pagesOf(db, p.sourceId).selectAll().where('canonical', '=', p.url).limit(1),
);

/** The page that declared this URL as its canonical one. */
export async function findPageByCanonical(
  db: Queryable,
  sourceId: string,
  url: string,
): Promise<CrawlPage | undefined> {
  const [row] = (await selectByCanonical(db, { sourceId, url })).rows;
  return row && pageOf(row);
}

const selectInState = prepared((db, p: { sourceId: string; state: PageState }) =>
  pagesOf(db, p.sourceId).selectAll().where('state', '=', p.state).orderBy('depth').orderBy('id'),
);

/** Pages of any kind in a state, nearest to the start page first. */
export const pagesInState = async (db: Queryable, sourceId: string, state: PageState): Promise<CrawlPage[]> =>
  (await selectInState(db, { sourceId, state })).rows.map(pageOf);

type Group = { sourceId: string; kind: PageKind; state: PageState; before: number; limit: number };

/** Pages of a kind and state that no round since `before` has requested, nearest to the start page first. */
const selectGroup = prepared((db, p: Group) =>
  pagesOf(db, p.sourceId)
    .selectAll()
    .where('kind', '=', p.kind)
    .where('state', '=', p.state)
    .where('round', '<', p.before)
    .orderBy('depth')
    .orderBy('id')
    .limit(p.limit),
);

/** The first `limit` pages of several groups. Each group is read from an index; pages of another group follow only if there is room. */
async function pagesOfGroups(
  db: Queryable,
  { sourceId, round }: Crawl,
  groups: ReadonlyArray<readonly [kind: PageKind, state: PageState, ofThisRound?: 'too']>,
  limit: number,
): Promise<CrawlPage[]> {
  const pages: CrawlPage[] = [];
  for (const [kind, state, ofThisRound] of groups) {
    if (pages.length >= limit) break;
    const before = ofThisRound ? round + 1 : round;
    const { rows } = await selectGroup(db, { sourceId, kind, state, before, limit: limit - pages.length });
    pages.push(...rows.map(pageOf));
  }
  return pages;
}

/** Pages this round has not requested yet and requests regardless of the page limit: new sitemaps, then kept pages. */
export const priorityPages = (db: Queryable, crawl: Crawl, limit: number): Promise<CrawlPage[]> =>
  pagesOfGroups(
    db,
    crawl,
    [
      ['sitemap', 'found', 'too'],
      ['page', 'kept'],
    ],
    limit,
  );

/**
 * Pages this round has not requested yet and whose content is not kept: first those read only for links, because they
 * lead to others, then new ones, last those that failed in an earlier round; each group nearest to the start page
 * first.
 */
export const frontierPages = (db: Queryable, crawl: Crawl, limit: number): Promise<CrawlPage[]> =>
  pagesOfGroups(
    db,
    crawl,
    [
      ['page', 'followed'],
      ['page', 'found', 'too'],
      ['page', 'unreachable'],
      ['page', 'dropped'],
    ],
    limit,
  );

const selectKnown = prepared(
  (_db, p: { sourceId: string; urls: readonly string[] }) => sql<{ url: string }>`
    SELECT url FROM knowledge_pages WHERE source_id = ${p.sourceId} AND kind = 'page' AND url IN ${listOf(p.urls)}
    UNION SELECT canonical FROM knowledge_pages WHERE source_id = ${p.sourceId} AND canonical IN ${listOf(p.urls)}`,
);

/** Of the given URLs, those of a crawl's pages, own or canonical. */
export const knownPageUrls = async (db: Queryable, sourceId: string, urls: readonly string[]): Promise<Set<string>> =>
  new Set((await selectKnown(db, { sourceId, urls })).rows.map(({ url }) => url));

const selectNumber = prepared((db, p: { sourceId: string }) =>
  pagesOf(db, p.sourceId)
    .select((eb) => eb.fn.countAll<number>().as('pages'))
    .where('kind', '=', 'page'),
);

/** How many pages a crawl has found, whatever became of them; some thousands at most. */
export const countStored = async (db: Queryable, sourceId: string): Promise<number> =>
  (await selectNumber(db, { sourceId })).rows[0]!.pages;

export type PageCounts = {
  /** Pages of any kind whose request is pending. */
  pending: number;
  /** Pages that are kept, or whose pending request may make them so. */
  keptOrPending: number;
  kept: number;
  sitemaps: number;
};

const selectCounts = prepared((db, p: { sourceId: string }) =>
  db
    .selectFrom('knowledge_crawls')
    .select(['pages_kept', 'pages_requested', 'files_requested', 'sitemaps'])
    .where('source_id', '=', p.sourceId),
);

/** Counts of a crawl's pages, which triggers keep (sql/counters.ts). */
export async function countPages(db: Queryable, sourceId: string): Promise<PageCounts> {
  const [crawl] = (await selectCounts(db, { sourceId })).rows;
  if (!crawl) return { pending: 0, keptOrPending: 0, kept: 0, sitemaps: 0 };
  const { pages_kept: kept, pages_requested: requested, files_requested: files, sitemaps } = crawl;
  return { pending: requested + files, keptOrPending: kept + requested, kept, sitemaps };
}

/** Excludes the page of a document that the user deleted. A pending request stays pending, because the round waits for its end. */
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

const selectStart = prepared((db, p: { sourceId: string }) =>
  pagesOf(db, p.sourceId).selectAll().where('is_start', '=', sql.lit(1)).orderBy('redirects', 'desc').limit(1),
);

/** The start page, or the last page it redirected to. */
export async function findStartPage(db: Queryable, sourceId: string): Promise<CrawlPage | undefined> {
  const [row] = (await selectStart(db, { sourceId })).rows;
  return row && pageOf(row);
}

/**
 * Prepares a crawl's pages for the next round. Keeps them all except that of the dropped pages only the latest `maxPages` stay: they are
 * kept because the page that links to one may answer 304 (not modified), which does not reveal its links again. Deletes robots.txt files,
 * sitemaps and start pages without content, so that they are fetched and followed afresh.
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
  await tx
    .updateTable('knowledge_pages')
    .set({ is_start: 0 })
    .where('source_id', '=', sourceId)
    .where('is_start', '=', sql.lit(1))
    .execute();
  for (const page of await pagesInState(tx, sourceId, 'blocked')) await unblockPage(tx, page);
}

/** Gives a page that waited for a robots.txt the state that it had before. */
export const unblockPage = (tx: Tx, { id, documentId }: CrawlPage): Promise<void> =>
  updatePage(tx, id, { state: documentId === null ? 'found' : 'kept' });

export async function deletePages(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom('knowledge_pages').where('source_id', '=', sourceId).execute();
}
