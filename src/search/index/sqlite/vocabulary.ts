import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Tx } from '../../../db/transaction.ts';
import { inBase } from './bases.ts';
import { trigramsOf } from '../../analysis/trigrams.ts';

type Word = { id: number; word: string };

const addWords = prepared(
  (_db, p: { baseId: number; words: string }) => sql<Word>`
    INSERT INTO retrieval_vocabulary (base_id, word) SELECT ${p.baseId}, value FROM json_each(${p.words}) WHERE true
    ON CONFLICT DO NOTHING RETURNING id, word`,
);

const indexTrigrams = prepared(
  (_db, p: { id: number; trigrams: string }) => sql`
    INSERT INTO retrieval_trigrams (rowid, trigrams) VALUES (${p.id}, ${p.trigrams})`,
);

/** Adds the words that a base did not have to its vocabulary. */
export async function learn(tx: Tx, baseId: number, words: readonly string[]): Promise<void> {
  const { rows } = await addWords(tx, { baseId, words: JSON.stringify(words) });
  for (const { id, word } of rows) {
    const trigrams = trigramsOf(word).map((trigram) => inBase(baseId, trigram));
    await indexTrigrams(tx, { id, trigrams: trigrams.join(' ') });
  }
}
