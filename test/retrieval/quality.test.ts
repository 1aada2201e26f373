import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { abstentionAuc, type Answer, qualityOf } from '../../bench/retrieval/measures.ts';
import { indexSet, questionsOf, type SetName, setNames } from '../../bench/retrieval/question-set.ts';
import { findRegressions, type Table, tableOf } from '../../bench/retrieval/table.ts';
import { type EmbeddingModel, hashVector, startFakeEmbeddings } from '../support/fake-embeddings.ts';

const file = new URL('../../bench/retrieval/baseline.json', import.meta.url);
const baseline = JSON.parse(readFileSync(file, 'utf8')) as Record<SetName, Table>;

async function answersOf(t: TestContext, set: SetName, model?: EmbeddingModel): Promise<Answer[]> {
  const endpoint = model && (await startFakeEmbeddings(model));
  t.after(() => endpoint?.close());
  const settings = { 'embeddings.model': 'any', 'embeddings.query_timeout_ms': '10000' };
  const indexed = await indexSet(set, endpoint ? { settings: { ...settings, 'embeddings.url': endpoint.url } } : {});
  t.after(() => indexed.library.close());
  await indexed.library.runner.settled();
  const answers = [];
  for (const question of questionsOf(set)) answers.push(await indexed.answer(question));
  return answers;
}

for (const set of setNames) {
  test(`no kind of ${set} question finds its passage less often than in the committed baseline`, async (t) => {
    const answers = await answersOf(t, set);
    for (const { question, relevant } of answers) {
      assert.equal(
        relevant > 0,
        question.says !== undefined,
        `${question.ask}: ${relevant} passages say ${question.says}`,
      );
    }
    assert.deepEqual(findRegressions(baseline[set], tableOf(answers)), []);
  });
}

test('no question occurs twice', () => {
  const questions = setNames.flatMap(questionsOf).map(({ ask }) => ask.toLowerCase());
  assert.deepEqual(
    questions.filter((ask, index) => questions.indexOf(ask) < index),
    [],
  );
});

// One set is enough, because the effect of a model does not depend on who wrote the questions.
test('a model with random vectors makes no kind of question worse', async (t) => {
  const answers = await answersOf(t, 'held-out', (text) => hashVector(text));
  assert.deepEqual(findRegressions(baseline['held-out'], tableOf(answers)), []);
});

test('a model that knows which passages answer a question finds what words do not', async (t) => {
  const table = tableOf(await answersOf(t, 'held-out', omniscientModel('held-out')));
  assert.deepEqual(findRegressions(baseline['held-out'], table), []);
  assert.ok(table['all']!['R@5']! > 90, JSON.stringify(table));
  assert.ok(table['cross_lingual']!['R@5']! > 60, JSON.stringify(table));
});

/** Gives a question and the passages that answer it a common direction (a cosine of about 0.4) besides random ones. */
function omniscientModel(set: SetName): EmbeddingModel {
  const questions = questionsOf(set).filter(({ says }) => says !== undefined);
  return (text) => {
    const topics = questions.filter(({ ask, says }) => text === ask || text.includes(says!)).map(({ says }) => says!);
    const sum = hashVector(text);
    for (const topic of new Set(topics)) {
      for (const [index, value] of hashVector(`topic ${topic}`).entries()) sum[index]! += value;
    }
    return sum;
  };
}

test('recall, MRR, nDCG and AUC are computed as defined', () => {
  const answerable = { kind: 'exact', ask: '', in: 'a', says: 'b' };
  const answer = (hits: boolean[], score = 0.5) => ({ question: answerable, hits, relevant: 1, score });
  const sixth = [false, false, false, false, false, true];
  assert.deepEqual(qualityOf([answer([true]), answer([false, true]), answer(sixth), answer([])]), {
    questions: 4,
    recallAt5: 0.5,
    mrrAt10: (1 + 1 / 2 + 1 / 6) / 4,
    ndcgAt10: (1 + 1 / Math.log2(3) + 1 / Math.log2(7)) / 4,
  });
  const unanswerable = { question: { kind: 'unanswerable', ask: '' }, hits: [], relevant: 0, score: 0.5 };
  assert.equal(abstentionAuc([answer([true], 0.9), answer([true], 0.5), answer([true], 0.1), unanswerable]), 0.5);
});

test('a fall of more than three points is a regression, and so is a missing kind', () => {
  assert.deepEqual(findRegressions({ typo: { 'R@5': 90 } }, { typo: { 'R@5': 87 } }), []);
  assert.deepEqual(findRegressions({ typo: { 'R@5': 90 } }, { typo: { 'R@5': 86.9 } }), ['typo: R@5 is 86.9, was 90']);
  assert.deepEqual(findRegressions({ typo: { 'R@5': 90 } }, {}), ['typo: R@5 is missing, was 90']);
});
