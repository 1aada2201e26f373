import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { abstentionAuc, type Answered, qualityOf } from '../../bench/retrieval/measures.ts';
import { openShelf, type Part, parts, questionsOf } from '../../bench/retrieval/set.ts';
import { compare, type Table, tableOf } from '../../bench/retrieval/table.ts';
import { direction, type Meaning, startFakeEmbeddings } from '../support/fake-embeddings.ts';

const file = new URL('../../bench/retrieval/baseline.json', import.meta.url);
const baseline = JSON.parse(readFileSync(file, 'utf8')) as Record<Part, Table>;

async function measured(t: TestContext, part: Part, meaning?: Meaning): Promise<Answered[]> {
  const endpoint = meaning && (await startFakeEmbeddings(meaning));
  t.after(() => endpoint?.close());
  const settings = { 'embeddings.model': 'any', 'embeddings.query_timeout_ms': '10000' };
  const shelf = await openShelf(part, endpoint ? { settings: { ...settings, 'embeddings.url': endpoint.url } } : {});
  t.after(() => shelf.library.close());
  await shelf.library.runner.settled();
  const answers = [];
  for (const question of questionsOf(part)) answers.push(await shelf.answer(question));
  return answers;
}

for (const part of parts) {
  test(`no kind of ${part} question finds its passage more rarely than the committed baseline says`, async (t) => {
    const answers = await measured(t, part);
    for (const { question, relevant } of answers) {
      assert.equal(
        relevant > 0,
        question.says !== undefined,
        `${question.ask}: ${relevant} passages say ${question.says}`,
      );
    }
    assert.deepEqual(compare(baseline[part], tableOf(answers)), []);
  });
}

test('no question is asked twice', () => {
  const asked = parts.flatMap(questionsOf).map(({ ask }) => ask.toLowerCase());
  assert.deepEqual(
    asked.filter((ask, index) => asked.indexOf(ask) < index),
    [],
  );
});

// What a model adds has nothing to do with who wrote the questions: one set is enough for it.
test('a model whose vectors are chance makes no kind of question worse', async (t) => {
  const answers = await measured(t, 'held-out', (text) => direction(text));
  assert.deepEqual(compare(baseline['held-out'], tableOf(answers)), []);
});

test('a model that knows what is meant finds what words do not', async (t) => {
  const table = tableOf(await measured(t, 'held-out', clairvoyant('held-out')));
  assert.deepEqual(compare(baseline['held-out'], table), []);
  assert.ok(table['all']!['R@5']! > 90, JSON.stringify(table));
  assert.ok(table['cross_lingual']!['R@5']! > 60, JSON.stringify(table));
});

/** Questions and the passages that answer them have something in common (a cosine of about 0.4), and much that is chance. */
function clairvoyant(part: Part): Meaning {
  const questions = questionsOf(part).filter(({ says }) => says !== undefined);
  return (text) => {
    const topics = questions.filter(({ ask, says }) => text === ask || text.includes(says!)).map(({ says }) => says!);
    const sum = direction(text);
    for (const topic of new Set(topics)) {
      for (const [index, value] of direction(`topic ${topic}`).entries()) sum[index]! += value;
    }
    return sum;
  };
}

test('the measures are what their names say', () => {
  const answered = { kind: 'exact', ask: '', in: 'a', says: 'b' };
  const answer = (hits: boolean[], score = 0.5) => ({ question: answered, hits, relevant: 1, score });
  const late = [false, false, false, false, false, true];
  assert.deepEqual(qualityOf([answer([true]), answer([false, true]), answer(late), answer([])]), {
    questions: 4,
    recallAt5: 0.5,
    mrrAt10: (1 + 1 / 2 + 1 / 6) / 4,
    ndcgAt10: (1 + 1 / Math.log2(3) + 1 / Math.log2(7)) / 4,
  });
  const unanswerable = { question: { kind: 'unanswerable', ask: '' }, hits: [], relevant: 0, score: 0.5 };
  assert.equal(abstentionAuc([answer([true], 0.9), answer([true], 0.5), answer([true], 0.1), unanswerable]), 0.5);
});

test('a fall of more than three points counts as worse, and so does a kind that is gone', () => {
  assert.deepEqual(compare({ typo: { 'R@5': 90 } }, { typo: { 'R@5': 87 } }), []);
  assert.deepEqual(compare({ typo: { 'R@5': 90 } }, { typo: { 'R@5': 86.9 } }), ['typo: R@5 is 86.9, was 90']);
  assert.deepEqual(compare({ typo: { 'R@5': 90 } }, {}), ['typo: R@5 is missing, was 90']);
});
