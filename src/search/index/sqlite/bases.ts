import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';

/** The index of a knowledge base: its number, and what it has in all. */
export type Base = { id: number; passages: number; words: number };

type Owner = { organizationId: string; knowledgeBaseId: string };

const numberOf = prepared((db, p: Pick<Owner, 'knowledgeBaseId'>) =>
  db.selectFrom('retrieval_bases').select('id').where('knowledge_base_id', '=', p.knowledgeBaseId),
);

const insertBase = prepared(
  (_db, p: Owner) => sql<{ id: number }>`
    INSERT INTO retrieval_bases (organization_id, knowledge_base_id)
    VALUES (${p.organizationId}, ${p.knowledgeBaseId}) RETURNING id`,
);

/** The number of a base's index, which is made when it is first asked for. */
export async function baseIdFor(tx: Tx, owner: Owner): Promise<number> {
  const [known] = (await numberOf(tx, owner)).rows;
  return known?.id ?? (await insertBase(tx, owner)).rows[0]!.id;
}

const basesById = prepared(
  (_db, p: { ids: string }) => sql<Base>`
    SELECT id, passages, words FROM retrieval_bases
    WHERE passages > 0 AND knowledge_base_id IN (SELECT value FROM json_each(${p.ids}))`,
);

/** Those of the bases that have passages. */
export async function basesOf(db: Queryable, knowledgeBaseIds: readonly string[]): Promise<Base[]> {
  return (await basesById(db, { ids: JSON.stringify(knowledgeBaseIds) })).rows;
}

/** A word as the index has it: those of one base stand apart from all others. */
export const inBase = (baseId: number, word: string): string => `${baseId}_${word}`;

/** The same for a text of words with blanks between. */
export const allInBase = (baseId: number, words: string): string =>
  words === '' ? '' : inBase(baseId, words.replaceAll(' ', ` ${inBase(baseId, '')}`));

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

const deleteBase = prepared((db, p: { baseId: number }) => db.deleteFrom('retrieval_bases').where('id', '=', p.baseId));

/** Deletes a batch of what the index of a base has; in the end the base. Whether there may be more. */
export async function deleteSome(tx: Tx, knowledgeBaseId: string, limit: number): Promise<boolean> {
  const [base] = (await numberOf(tx, { knowledgeBaseId })).rows;
  if (!base) return false;
  for (const deleteRows of [deletePassages, deleteWords]) {
    const { numAffectedRows = 0n } = await deleteRows(tx, { baseId: base.id, limit });
    if (numAffectedRows > 0n) return true;
  }
  await deleteBase(tx, { baseId: base.id });
  return false;
}
