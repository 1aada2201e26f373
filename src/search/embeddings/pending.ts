import { sql } from 'kysely';
import { minuteMs } from '../../base/clock.ts';
import { prepared, sent } from '../../db/prepared.ts';
import { joinInOrder, listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { PassageContent } from '../index/content.ts';

/** A passage that has no vector in the current vector space yet. */
export type PendingPassage = PassageContent & { id: number; contentHash: string; refusals: number };

const selectPending = prepared(
  (_db, p: { baseId: number; now: number; limit: number }) => sql<PendingPassage>`
    SELECT passage.id, passage.title, passage.heading, passage.text, passage.content_hash AS "contentHash",
      pending.refusals
    FROM retrieval_unembedded AS pending ${joinInOrder} retrieval_passages AS passage
      ON passage.id = pending.passage_id
    WHERE pending.base_id = ${p.baseId} AND pending.due_at <= ${p.now}
    ORDER BY pending.due_at, pending.passage_id LIMIT ${p.limit}`,
);

/** Passages of a base that may be embedded now. Those that the endpoint refused before come after all others. */
export const pendingPassages = async (
  db: Queryable,
  baseId: number,
  { now, limit }: { now: number; limit: number },
): Promise<PendingPassage[]> => (await selectPending(db, { baseId, now, limit })).rows;

const selectNextDue = prepared(
  (_db, p: { baseId: number }) => sql<{ organizationId: string; dueAt: number | null }>`
    SELECT base.organization_id AS "organizationId",
      (SELECT min(due_at) FROM retrieval_unembedded WHERE base_id = base.id) AS "dueAt"
    FROM retrieval_bases AS base WHERE base.id = ${p.baseId}`,
);

/** When the next pending passage of a base may be embedded, and the organization that owns the base. Undefined when none is pending. */
export async function nextPending(
  db: Queryable,
  baseId: number,
): Promise<{ organizationId: string; dueAt: number } | undefined> {
  const [base] = (await selectNextDue(db, { baseId })).rows;
  return base && base.dueAt !== null ? { organizationId: base.organizationId, dueAt: base.dueAt } : undefined;
}

const deletePending = sent(
  (_db, p: { baseId: number; ids: readonly number[] }) => sql`
    DELETE FROM retrieval_unembedded
    WHERE base_id = ${p.baseId} AND passage_id IN ${listOf(p.ids, 'integer')}`,
);

export async function removePending(tx: Tx, baseId: number, passageIds: readonly number[]): Promise<void> {
  await deletePending(tx, { baseId, ids: passageIds });
}

const insertPending = sent(
  (_db, p: { baseId: number; id: number }) => sql`
    INSERT INTO retrieval_unembedded (base_id, passage_id) VALUES (${p.baseId}, ${p.id}) ON CONFLICT DO NOTHING`,
);

export async function addPending(tx: Tx, baseId: number, id: number): Promise<void> {
  await insertPending(tx, { baseId, id });
}

/** Delays after the 1st, 2nd, … refusal of a passage; the last one repeats. */
const refusalDelaysMs = [10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs] as const;

const updateRefused = sent(
  (_db, p: { baseId: number; id: number; dueAt: number }) => sql`
    UPDATE retrieval_unembedded SET refusals = refusals + 1, due_at = ${p.dueAt}
    WHERE base_id = ${p.baseId} AND passage_id = ${p.id}`,
);

/** Postpones a passage that the endpoint refused. Returns for how long. */
export async function postponeRefused(
  tx: Tx,
  baseId: number,
  { id, refusals }: PendingPassage,
  now: number,
): Promise<number> {
  const delayMs = refusalDelaysMs[Math.min(refusals, refusalDelaysMs.length - 1)]!;
  await updateRefused(tx, { baseId, id, dueAt: now + delayMs });
  return delayMs;
}

/** Passages of a knowledge base that wait for a vector. */
export async function countPending(db: Queryable, knowledgeBaseId: string): Promise<number> {
  const base = await db
    .selectFrom('retrieval_bases')
    .select('pending')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirst();
  return base?.pending ?? 0;
}

/** Passages of all knowledge bases that wait for a vector, and how many of them the endpoint refused before. */
export async function countAllPending(db: Queryable): Promise<{ pending: number; refused: number }> {
  const { rows } = await sql<{ pending: number | null; refused: number }>`
    SELECT (SELECT sum(pending) FROM retrieval_bases) AS pending,
      (SELECT count(*) FROM retrieval_unembedded WHERE refusals > 0) AS refused`.execute(db);
  return { pending: rows[0]!.pending ?? 0, refused: rows[0]!.refused };
}
