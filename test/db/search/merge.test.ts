import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { installation, transact } from '../../../src/db/transaction.ts';
import { mergeStep } from '../../../src/search/index/sqlite/merge.ts';
import { createTestApp } from '../../support/app.ts';

test('merging goes on until the index of words and the index of trigrams have one segment each', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  /** Runs `count` transactions, each of which leaves a segment in both indexes. */
  const addSegments = async (count: number): Promise<void> => {
    for (let id = 1; id <= count; id += 1) {
      await transact(app.db, installation, async (tx) => {
        await sql`INSERT INTO retrieval_words (rowid, once) VALUES (${id}, ${`word${id}`})`.execute(tx);
        await sql`INSERT INTO retrieval_trigrams (rowid, trigrams) VALUES (${id}, ${`tri${id}`})`.execute(tx);
      });
    }
  };
  const countSegments = async (): Promise<unknown> => {
    const { rows } = await sql`
      SELECT (SELECT count(DISTINCT segid) FROM retrieval_words_idx) AS words,
             (SELECT count(DISTINCT segid) FROM retrieval_trigrams_idx) AS trigrams`.execute(app.db);
    return rows[0];
  };
  await addSegments(10);
  assert.deepEqual(await countSegments(), { words: 10, trigrams: 10 });
  assert.equal(await transact(app.db, installation, mergeStep), true);
  assert.deepEqual(await countSegments(), { words: 1, trigrams: 1 });
  assert.equal(await transact(app.db, installation, mergeStep), false);
});
