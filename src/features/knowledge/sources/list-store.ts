import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely';
import { type List, type Position, readList, readRows } from '../../../db/pages.ts';
import { prepared } from '../../../db/prepared.ts';
import type { KnowledgeCrawlsTable, KnowledgeSourcesTable } from '../../../db/schema.generated.ts';
import { firstRowsOf, listOf, withoutIndex } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../../kernel/paging.ts';
import {
  type CountedSource,
  type CrawlProgress,
  type SourceCount,
  type SourceType,
  sumOf,
  type UrlSource,
  type WorkStatus,
  workStatuses,
} from '../bases/knowledge-base.ts';
import { sourceOf } from './store.ts';

const selectCounts = prepared((db, p: { baseId: string }) =>
  db
    .selectFrom('knowledge_source_counts')
    .select(['type', 'status', 'sources'])
    .where('knowledge_base_id', '=', p.baseId)
    .where('sources', '>', 0),
);

/** How many sources of a base have each type and status. Triggers keep the numbers (sql/counters.ts). */
export const sourceCounts = async (db: Queryable, baseId: string): Promise<SourceCount[]> =>
  (await selectCounts(db, { baseId })).rows as SourceCount[];

type CrawlCounts = Pick<
  Selectable<KnowledgeCrawlsTable>,
  'finished_at' | 'max_pages' | 'pages_found' | 'pages_kept' | 'pages_new' | 'pages_requested'
>;
/** A source with the counts of its crawl, if it has one. */
type Row = Selectable<KnowledgeSourcesTable> & (CrawlCounts | { max_pages: null });

const columns = sql`source.*, crawl.finished_at, crawl.max_pages, crawl.pages_found, crawl.pages_kept, crawl.pages_new,
  crawl.pages_requested`;
const withCrawl = sql`LEFT JOIN knowledge_crawls AS crawl ON crawl.source_id = source.id`;

const countedOf = (row: Row): CountedSource => ({ ...sourceOf(row), ...progressOf(row) });

/** A round reads at most `max_pages` of the pages that it finds; links beyond that limit stay stored. */
function progressOf(crawl: CrawlCounts | { max_pages: null }): CrawlProgress {
  if (crawl.max_pages === null) return { pagesFound: 0, pagesWaiting: 0 };
  const { finished_at: finishedAt, pages_found: pagesFound, max_pages: max, pages_kept: kept } = crawl;
  const waiting = Math.min(crawl.pages_new + crawl.pages_requested, max - kept);
  return { pagesFound, pagesWaiting: finishedAt === null ? Math.max(0, waiting) : 0 };
}

/** Of the given sources, those of the base, oldest first. */
export async function countedSources(db: Queryable, baseId: string, ids: readonly string[]): Promise<CountedSource[]> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM knowledge_sources AS source ${withCrawl}
    WHERE source.id IN ${listOf(ids)} AND source.removed_at IS NULL
      AND ${withoutIndex('source.knowledge_base_id')} = ${baseId} ORDER BY source.id`.execute(db);
  return rows.map(countedOf);
}

/** The newest sources of a base, oldest first. */
export async function newestSources(db: Queryable, baseId: string, limit: number): Promise<CountedSource[]> {
  const query = sql<Row>`SELECT ${columns} FROM knowledge_sources AS source ${withCrawl}
    WHERE source.knowledge_base_id = ${baseId} AND source.removed_at IS NULL ORDER BY source.id DESC LIMIT ${limit}`;
  const { rows } = await readRows(db, query.compile(db), 0, { limit, offset: 0 });
  return rows.map(countedOf).toReversed();
}

const everyStatus = sql.join(workStatuses.map((status) => sql.lit(status)));

/** The sources of a base that crawl a site, oldest first; there are 500 at most. */
export async function sitesOf(db: Queryable, baseId: string): Promise<UrlSource[]> {
  const { rows } = await sql<Row & { url: string }>`SELECT ${columns} FROM knowledge_sources AS source ${withCrawl}
    WHERE source.knowledge_base_id = ${baseId} AND source.type = 'url' AND source.status IN (${everyStatus})
      AND source.removed_at IS NULL`.execute(db);
  return rows
    .map((row) => ({ ...countedOf(row), url: row.url }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export type SourceFilter = { type?: SourceType; status?: WorkStatus };

/** Sources of a base, newest first. With a filter, the list merges one read for each type and status that has sources. */
export async function listSources(
  db: Queryable,
  baseId: string,
  filter: SourceFilter,
  page: Page,
): Promise<Paged<CountedSource>> {
  const { type, status } = filter;
  const counts = (await sourceCounts(db, baseId)).filter(
    (count) => (type ?? count.type) === count.type && (status ?? count.status) === count.status,
  );
  const branches =
    type === undefined && status === undefined
      ? [sql`true`]
      : counts.map((count) => sql`type = ${count.type} AND status = ${count.status}`);
  const list: List<Row> = {
    rows: (after, range) => pageQuery(db, baseId, branches, { after, ...range }),
    positionOf: ({ id }) => [id],
    total: () => sumOf(counts),
  };
  return pagedOf(await readList(db, list, page), countedOf);
}

type Range = { after: Position | null; limit: number; offset: number };

function pageQuery(
  db: Queryable,
  baseId: string,
  branches: ReadonlyArray<RawBuilder<unknown>>,
  { after, limit, offset }: Range,
): CompiledQuery<Row> {
  const following = after === null ? sql`` : sql` AND id < ${after[0]}`;
  const selects = branches.map(
    (branch) => sql`SELECT id FROM knowledge_sources
      WHERE knowledge_base_id = ${baseId} AND removed_at IS NULL AND ${branch}${following}`,
  );
  const newest = sql`id DESC`;
  const found =
    selects.length === 0
      ? sql`SELECT NULL AS id WHERE false`
      : firstRowsOf(
          selects.map((select) => ({ select, order: newest })),
          newest,
          { limit, offset },
        );
  return sql<Row>`SELECT ${columns} FROM knowledge_sources AS source ${withCrawl}
    WHERE source.id IN (SELECT id FROM (${found}) AS found)
      AND ${withoutIndex('source.knowledge_base_id')} = ${baseId}
    ORDER BY source.id DESC`.compile(db);
}
