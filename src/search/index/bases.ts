import { sql } from 'kysely';
import { prepared, sent } from '../../db/prepared.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { deletionBatchSize, type IndexedDocument } from './search-index.ts';

/** The number of a knowledge base in the index, and its totals. */
type IndexedBase = { id: number; passages: number; words: number };

type BaseKey = Pick<IndexedDocument, 'organizationId' | 'knowledgeBaseId'>;

const selectBaseId = prepared((db, p: Pick<BaseKey, 'knowledgeBaseId'>) =>
  db.selectFrom('retrieval_bases').select('id').where('knowledge_base_id', '=', p.knowledgeBaseId),
);

const insertBase = prepared(
  (_db, p: BaseKey) => sql<{ id: number }>`
    INSERT INTO retrieval_bases (organization_id, knowledge_base_id)
    VALUES (${p.organizationId}, ${p.knowledgeBaseId}) RETURNING id`,
);

/** Returns the number of a knowledge base, and assigns one on first use. */
export async function baseIdFor(tx: Tx, key: BaseKey): Promise<number> {
  const [existing] = (await selectBaseId(tx, key)).rows;
  return existing?.id ?? (await insertBase(tx, key)).rows[0]!.id;
}

const selectBases = prepared(
  (_db, p: { ids: readonly string[] }) => sql<IndexedBase>`
    SELECT id, passages, words FROM retrieval_bases
    WHERE passages > 0 AND knowledge_base_id IN ${listOf(p.ids)}`,
);

/** The knowledge bases that have passages. */
export async function basesWithPassages(db: Queryable, knowledgeBaseIds: readonly string[]): Promise<IndexedBase[]> {
  return (await selectBases(db, { ids: knowledgeBaseIds })).rows;
}

const deletePassages = prepared(
  (_db, p: { baseId: number; limit: number }) => sql`
    DELETE FROM retrieval_passages
    WHERE id IN (SELECT id FROM retrieval_passages WHERE base_id = ${p.baseId} LIMIT ${p.limit})`,
);

const deleteWords = prepared(
  (_db, p: { baseId: number; limit: number }) => sql`
    DELETE FROM retrieval_vocabulary
    WHERE id IN (SELECT id FROM retrieval_vocabulary WHERE base_id = ${p.baseId} LIMIT ${p.limit})`,
);

const deleteBase = sent((db, p: { baseId: number }) => db.deleteFrom('retrieval_bases').where('id', '=', p.baseId));

/** Deletes a batch of a knowledge base's passages, then of its vocabulary, and in the end the base. Returns whether there may be more. */
export async function deleteBaseBatch(tx: Tx, knowledgeBaseId: string): Promise<boolean> {
  const [base] = (await selectBaseId(tx, { knowledgeBaseId })).rows;
  if (!base) return false;
  for (const deleteRows of [deletePassages, deleteWords]) {
    const { numAffectedRows = 0n } = await deleteRows(tx, { baseId: base.id, limit: deletionBatchSize });
    if (numAffectedRows > 0n) return true;
  }
  await deleteBase(tx, { baseId: base.id });
  return false;
}
