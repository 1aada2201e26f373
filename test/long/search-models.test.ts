import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { indexCollection } from '../../bench/retrieval/index-collection.ts';
import { makersQuestions } from '../../bench/retrieval/makers-questions.ts';
import { areaUnderCurve, mean, ndcg } from '../../bench/retrieval/measures.ts';
import { type EmbeddingModel, hashVector, startFakeEmbeddings } from '../support/fake-embeddings.ts';
import { openLibrary } from '../support/library.ts';

const { documents, questions } = makersQuestions(['makers-2']);
const answerable = questions.filter(({ grades }) => grades.size > 0);

/** The share of questions whose passage is among the first five. */
async function recallOf(t: TestContext, model?: EmbeddingModel): Promise<number> {
  const endpoint = model && (await startFakeEmbeddings(model));
  t.after(() => endpoint?.close());
  const settings = { 'embeddings.model': 'any', 'embeddings.query_timeout_ms': '10000' };
  const library = await openLibrary(endpoint ? { settings: { ...settings, 'embeddings.url': endpoint.url } } : {});
  t.after(() => library.close());
  const ask = await indexCollection(library, documents);
  const found: number[] = [];
  for (const { text, grades } of answerable) {
    const { ids } = await ask(text);
    found.push(ids.slice(0, 5).some((id) => grades.has(id)) ? 1 : 0);
  }
  return mean(found);
}

/** Gives a question and the passages that answer it a common direction (a cosine of about 0.4) besides random ones. */
function omniscientModel(): EmbeddingModel {
  const textOf = new Map(documents.map(({ id, text }) => [id, text]));
  return (text) => {
    const topics = answerable.filter(
      ({ text: asked, grades }) => text === asked || [...grades.keys()].some((id) => text.endsWith(textOf.get(id)!)),
    );
    const sum = hashVector(text);
    for (const topic of new Set(topics.flatMap(({ grades }) => [...grades.keys()]))) {
      for (const [index, value] of hashVector(`topic ${topic}`).entries()) sum[index]! += value;
    }
    return sum;
  };
}

test('a model with random vectors changes next to nothing, and one that knows the answers finds what words do not', async (t) => {
  const byWords = await recallOf(t);
  const random = await recallOf(t, (text) => hashVector(text));
  const omniscient = await recallOf(t, omniscientModel());
  const figures = `${byWords} by words, ${random} with random vectors, ${omniscient} with those of the answers`;
  assert.ok(random > byWords - 0.02, figures);
  assert.ok(omniscient > 0.9 && omniscient > byWords + 0.1, figures);
});

test('nDCG and the area under the curve are computed as defined', () => {
  assert.equal(ndcg([1], [1]), 1);
  assert.equal(ndcg([0, 1], [1]), 1 / Math.log2(3));
  assert.equal(ndcg([2, 4], [2, 4]), (2 + 4 / Math.log2(3)) / (4 + 2 / Math.log2(3)));
  assert.equal(ndcg([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1]), 0);
  assert.equal(areaUnderCurve([0.9, 0.5, 0.1], [0.5]), 0.5);
});
