import { sql } from 'kysely';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { prepared, sent } from '../../../db/prepared.ts';
import { greatest } from '../../../db/sql.ts';
import type { Crawl } from './crawl.ts';
import type { RobotsRules } from './web/robots.ts';

const selectCrawl = prepared((db, p: { sourceId: string }) =>
  db
    .selectFrom('knowledge_crawls as crawl')
    .innerJoin('knowledge_sources as source', 'source.id', 'crawl.source_id')
    .innerJoin('knowledge_bases as base', 'base.id', 'source.knowledge_base_id')
    .selectAll('crawl')
    .select(['source.organization_id', 'source.knowledge_base_id'])
    .where('crawl.source_id', '=', p.sourceId)
    .where('source.removed_at', 'is', null)
    .where('base.removed_at', 'is', null),
);

/** The crawl of a source; undefined if the source or its base was removed. */
export async function findCrawl(db: Queryable, sourceId: string): Promise<Crawl | undefined> {
  const [row] = (await selectCrawl(db, { sourceId })).rows;
  return (
    row && {
      sourceId: row.source_id,
      orgId: row.organization_id,
      baseId: row.knowledge_base_id,
      documentId: row.document_id,
      host: row.host,
      round: row.round,
      maxPages: row.max_pages,
      maxDepth: row.max_depth,
      requests: row.requests,
    }
  );
}

export type CrawledSource = { id: string; isFinished: boolean };

/** The next sources of a base after one, in the order of their ids. `isFinished`: it has a crawl, which is not running. */
export async function sourcesAfter(
  db: Queryable,
  baseId: string,
  after: string,
  limit: number,
): Promise<CrawledSource[]> {
  const rows = await db
    .selectFrom('knowledge_sources as source')
    .leftJoin('knowledge_crawls as crawl', 'crawl.source_id', 'source.id')
    .select(['source.id', 'crawl.finished_at'])
    .where('source.knowledge_base_id', '=', baseId)
    .where('source.removed_at', 'is', null)
    .where('source.id', '>', after)
    .orderBy('source.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, finished_at: finishedAt }) => ({ id, isFinished: finishedAt !== null }));
}

/** Inserts a crawl or overwrites it with a new round. */
export async function putCrawl(tx: Tx, crawl: Crawl): Promise<void> {
  const row = {
    document_id: crawl.documentId,
    host: crawl.host,
    round: crawl.round,
    max_pages: crawl.maxPages,
    max_depth: crawl.maxDepth,
    requests: crawl.requests,
    finished_at: null,
  };
  await tx
    .insertInto('knowledge_crawls')
    .values({ source_id: crawl.sourceId, ...row })
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(row))
    .execute();
}

export async function setCrawlHost(tx: Tx, sourceId: string, host: string): Promise<void> {
  await tx.updateTable('knowledge_crawls').set({ host }).where('source_id', '=', sourceId).execute();
}

const addRequest = sent((db, p: { sourceId: string }) =>
  db
    .updateTable('knowledge_crawls')
    .set((eb) => ({ requests: eb('requests', '+', eb.lit(1)) }))
    .where('source_id', '=', p.sourceId),
);

export async function countRequest(tx: Tx, sourceId: string): Promise<void> {
  await addRequest(tx, { sourceId });
}

export async function markCrawlFinished(tx: Tx, sourceId: string, now: number): Promise<void> {
  await tx.updateTable('knowledge_crawls').set({ finished_at: now }).where('source_id', '=', sourceId).execute();
}

export async function deleteCrawl(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom('knowledge_crawls').where('source_id', '=', sourceId).execute();
  await deleteRobotsAccess(tx, sourceId);
}

/** The robots.txt rules of an origin in this round, or the reason why nothing there may be fetched. */
export type RobotsAccess = { robots: RobotsRules } | { forbidden: string };

const selectRobots = prepared((db, p: { sourceId: string; origin: string }) =>
  db
    .selectFrom('knowledge_robots')
    .select(['rules', 'reason'])
    .where('source_id', '=', p.sourceId)
    .where('origin', '=', p.origin),
);

/** The rules of the last file that was read, because one page after the other is compared with the same rules. */
let lastRules: { text: string; robots: RobotsRules } | undefined;

function rulesOf(text: string): RobotsRules {
  if (lastRules?.text !== text) lastRules = { text, robots: JSON.parse(text) as RobotsRules };
  return lastRules.robots;
}

export async function findRobotsAccess(
  db: Queryable,
  sourceId: string,
  origin: string,
): Promise<RobotsAccess | undefined> {
  const [row] = (await selectRobots(db, { sourceId, origin })).rows;
  if (!row) return undefined;
  return row.rules === null ? { forbidden: row.reason ?? '' } : { robots: rulesOf(row.rules) };
}

export async function storeRobotsAccess(tx: Tx, sourceId: string, origin: string, access: RobotsAccess): Promise<void> {
  const row =
    'robots' in access
      ? { rules: JSON.stringify(access.robots), reason: null, delay_ms: access.robots.delayMs }
      : { rules: null, reason: access.forbidden, delay_ms: 0 };
  await tx
    .insertInto('knowledge_robots')
    .values({ source_id: sourceId, origin, ...row })
    .onConflict((conflict) => conflict.columns(['source_id', 'origin']).doUpdateSet(row))
    .execute();
}

export async function deleteRobotsAccess(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom('knowledge_robots').where('source_id', '=', sourceId).execute();
}

const selectDelayed = prepared((db, p: { sourceId: string }) =>
  db
    .selectFrom('knowledge_robots')
    .select('origin')
    .where('source_id', '=', p.sourceId)
    .where('delay_ms', '>', sql.lit(0))
    .limit(1),
);

/** Whether a host of the crawl has a crawl delay. */
export const hasCrawlDelay = async (db: Queryable, sourceId: string): Promise<boolean> =>
  (await selectDelayed(db, { sourceId })).rows.length > 0;

/** Reserves the next crawl-delay slot of a host. @returns its time, not before `notBefore` */
export async function reserveCrawlDelaySlot(tx: Tx, host: string, notBefore: number, delayMs: number): Promise<number> {
  const { rows } = await sql<{ next_at: number }>`
    INSERT INTO knowledge_hosts (host, next_at) VALUES (${host}, ${notBefore + delayMs})
    ON CONFLICT (host) DO UPDATE SET next_at = ${greatest(sql.ref('knowledge_hosts.next_at'), notBefore)} + ${delayMs}
    RETURNING next_at`.execute(tx);
  return rows[0]!.next_at - delayMs;
}

/** Deletes the crawl-delay slots of hosts whose last slot has passed. */
export async function deleteExpiredCrawlDelays(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('knowledge_hosts').where('next_at', '<', before).execute();
}
