import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { compareWithAll } from '../../../src/search/embeddings/nearest-passages.ts';
import { encodeVector, normalize } from '../../../src/search/embeddings/vectors.ts';
import { openLibrary } from '../../support/library.ts';

test('a question is compared with every vector of its knowledge bases, and with none of other bases or models', async (t) => {
  const settings = { 'embeddings.url': 'http://127.0.0.1:1/', 'embeddings.model': 'any' };
  const library = await openLibrary({ settings });
  t.after(() => library.close());
  const { db } = library.app;
  const organizationId = await library.createOrganization();
  await sql`INSERT INTO retrieval_spaces (id, model, requested_dimensions) VALUES (7, 'former', 0)`.execute(db);
  let count = 0;
  /** Adds passages of a base with the same vector, and returns the ids of the first and the last. */
  const addVectors = async (baseId: number, spaceId: number, passages: number, values: number[]): Promise<number[]> => {
    const [from, to] = [count + 1, (count += passages)];
    await sql`WITH RECURSIVE passage (id) AS (SELECT ${from} UNION ALL SELECT id + 1 FROM passage WHERE id < ${to})
      INSERT INTO retrieval_embeddings (id, organization_id, space_id, content_hash, vector)
      SELECT id, ${organizationId}, ${spaceId}, id, ${encodeVector(normalize(values)!)} FROM passage`.execute(db);
    await sql`INSERT INTO retrieval_vectors (base_id, passage_id, embedding_id)
      SELECT ${baseId}, id, id FROM retrieval_embeddings WHERE id BETWEEN ${from} AND ${to}`.execute(db);
    return [from, to];
  };
  const [first, last] = (await addVectors(1, 1, 9000, [1, 0])) as [number, number];
  await addVectors(1, 7, 10, [1, 0]);
  const [other] = (await addVectors(2, 1, 1, [3, 4])) as [number];
  await addVectors(3, 1, 10, [1, 0]);

  const vector = normalize([3, 4])!;
  const { cosines } = (await compareWithAll(db, [1, 2], { space: { id: 1, dimensions: 2 }, vector }))!;
  assert.equal(cosines.size, 9001);
  for (const [id, cosine] of [
    [first, 0.6],
    [last, 0.6],
    [other, 1],
  ] as const) {
    assert.ok(Math.abs(cosines.get(id)! - cosine) < 0.01, `${id}: ${cosines.get(id)}`);
  }
});
