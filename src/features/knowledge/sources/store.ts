import { type Selectable, sql } from 'kysely';
import { insertInto, updateById } from '../../../db/prepared.ts';
import type { KnowledgeSourcesTable } from '../../../db/schema.generated.ts';
import { listOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { CountedSource, CrawlProgress, Source } from '../bases/knowledge-base.ts';

type SourceRow = Selectable<KnowledgeSourcesTable>;

const toSource = (row: SourceRow): Source => ({
  id: row.id,
  orgId: row.organization_id,
  baseId: row.knowledge_base_id,
  type: row.type,
  name: row.name,
  url: row.url,
  status: row.status,
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const insertRow = insertInto('knowledge_sources');

export const insertSource = (tx: Tx, source: Source): Promise<void> =>
  insertRow(tx, {
    id: source.id,
    organization_id: source.orgId,
    knowledge_base_id: source.baseId,
    type: source.type,
    name: source.name,
    url: source.url,
    status: source.status,
    error: source.error,
    created_at: source.createdAt,
    updated_at: source.updatedAt,
    removed_at: null,
  });

const updateRow = updateById('knowledge_sources');

export const updateSource = (
  tx: Tx,
  id: string,
  changes: Partial<Pick<Source, 'name' | 'url' | 'status' | 'error'>>,
  now: number,
): Promise<void> => updateRow(tx, id, { ...changes, updated_at: now });

/** Marks a pending source as processing. A complete one stays complete while it is refreshed. */
export async function markSourceProcessing(tx: Tx, id: string, now: number): Promise<void> {
  await tx
    .updateTable('knowledge_sources')
    .set({ status: 'processing', updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

const present = (db: Queryable, baseId: string) =>
  db.selectFrom('knowledge_sources').where('knowledge_base_id', '=', baseId).where('removed_at', 'is', null);

/** The sources of a base, oldest first. */
export async function listSources(db: Queryable, baseId: string): Promise<Source[]> {
  return (await present(db, baseId).selectAll().orderBy('id').execute()).map(toSource);
}

export async function findSource(db: Queryable, baseId: string, id: string): Promise<Source | undefined> {
  const row = await present(db, baseId).selectAll().where('id', '=', id).executeTakeFirst();
  return row && toSource(row);
}

/** Finds a source by id alone, unless it was removed. */
export async function activeSource(db: Queryable, id: string): Promise<Source | undefined> {
  const row = await db
    .selectFrom('knowledge_sources')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row && toSource(row);
}

/** The sources of a base that crawl a site. */
export async function urlSourcesOf(db: Queryable, baseId: string): Promise<Source[]> {
  const rows = await present(db, baseId)
    .selectAll()
    .where('type', '=', sql.lit('url' as const))
    .execute();
  return rows.map(toSource);
}

const waitingStates = sql`('found', 'blocked', 'asking')`;

/**
 * Adds to sources how many pages their crawls have read and still have to read. A round reads at most `max_pages` of the pages found; once
 * it is over, none wait, although links beyond that limit stay in the table.
 */
export async function withProgress(db: Queryable, sources: readonly Source[]): Promise<CountedSource[]> {
  const crawled = sources.filter(({ url }) => url !== null);
  const counts = crawled.length === 0 ? new Map<string, CrawlProgress>() : await progressOf(db, crawled);
  return sources.map((source) => ({ ...source, ...(counts.get(source.id) ?? { pagesFound: 0, pagesWaiting: 0 }) }));
}

async function progressOf(db: Queryable, sources: readonly Source[]): Promise<Map<string, CrawlProgress>> {
  const { rows } = await sql<{ source_id: string; found: number; waiting: number; room: number }>`
    SELECT source_id,
      (SELECT count(*) FROM knowledge_pages page WHERE page.source_id = crawl.source_id AND document_id IS NOT NULL) AS found,
      CASE WHEN finished_at IS NULL THEN
        (SELECT count(*) FROM knowledge_pages page
          WHERE page.source_id = crawl.source_id AND kind = 'page' AND state IN ${waitingStates})
        ELSE 0 END AS waiting,
      max_pages - (SELECT count(*) FROM knowledge_pages page WHERE page.source_id = crawl.source_id AND state = 'kept') AS room
    FROM knowledge_crawls crawl WHERE source_id IN ${listOf(sources.map(({ id }) => id))}`.execute(db);
  const clamp = (waiting: number, room: number): number => Math.max(0, Math.min(waiting, room));
  return new Map(
    rows.map((row) => [row.source_id, { pagesFound: row.found, pagesWaiting: clamp(row.waiting, row.room) }]),
  );
}

export async function markSourceRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await updateRow(tx, id, { removed_at: now });
}

export async function deleteSource(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('knowledge_sources').where('id', '=', id).execute();
}

/** Some sources of a base, to delete them in batches. */
export async function sourceIdBatch(tx: Tx, baseId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('knowledge_sources')
    .select('id')
    .where('knowledge_base_id', '=', baseId)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
