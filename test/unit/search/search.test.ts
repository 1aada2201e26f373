import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cosine, differences, signsOf, unitOf, vectorOf, bytesOf } from '../../../src/search/embeddings/vectors.ts';
import { fused, meaningOf } from '../../../src/search/score/fuse.ts';
import { functionWordsOf, languagesOf } from '../../../src/search/analysis/function-words.ts';
import { type Language, languages, languagesWith } from '../../../src/search/analysis/languages.ts';
import { lexicon } from '../../../src/search/lexicon/lexicon.ts';
import { likeness } from '../../../src/search/query/likeness.ts';
import { wordsIn } from '../../../src/search/index/passage.ts';
import { passagesIn, portionsOf } from '../../../src/search/index/portions.ts';
import { sensesOf } from '../../../src/search/lexicon/meanings.ts';
import { termsOf } from '../../../src/search/analysis/terms.ts';

test('words are folded, stemmed, and cut where people differ in writing them', () => {
  for (const [text, terms] of [
    ['Refunds & REFUNDED', 'refund refund'],
    ['Straße Strasse', 'strass strass'],
    ['Müller’s café', 'muller cafe'],
    ['Wi-Fi', 'wi fi wifi'],
    ["don't l'hôtel", 'dont hotel'],
    ['1,000 1.000 3,50 v1.2.3', '1000 1000 3.50 v1 2 3 v123'],
    ['退款政策', '退款 款政 政策'],
    ['🎉 ok', '🎉 ok'],
    ['… ?! \u0000', ''],
  ] as const) {
    assert.equal(termsOf(text).join(' '), terms, text);
  }
});

/** Any code points, single surrogates among them. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x10ffff), fc.nat(0x2ff)), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points));

test('a term never holds what the index would take for the end of a word', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const term of termsOf(text)) assert.match(term, /^(?:[a-z0-9.]|[^\p{ASCII}])+$/u);
    }),
  );
});

test('a slip of a letter or two is like the word; short words are only like themselves', () => {
  for (const [asked, known] of [
    ['refnud', 'refund'],
    ['expres', 'express'],
    ['huors', 'hours'],
    ['garantee', 'guarantee'],
  ] as const) {
    assert.ok(likeness(asked, known) > 0.7, asked);
  }
  for (const [asked, known] of [
    ['near', 'year'],
    ['cat', 'car'],
    ['refund', 'remand'],
    ['shipping', 'shopping cart'],
  ] as const) {
    assert.ok(likeness(asked, known) < 0.7, asked);
  }
});

test('a word of another language is only taken for a function word where that language is spoken', () => {
  const isFunctionWord = (question: string, word: string): boolean => functionWordsOf(termsOf(question))(word);
  assert.equal(isFunctionWord('price of the plus plan', 'plu'), false);
  assert.equal(isFunctionWord('est-ce que je peux payer en plus de trois fois', termsOf('plus')[0]!), true);
  assert.equal(isFunctionWord('was kostet die Lieferung', 'die'), true);
  assert.equal(isFunctionWord('did the plant die', 'die'), false);
});

/** What words of a question mean, as its words and the roots of the others. */
const meaningsOf = (question: string, told: readonly Language[] = languages): Map<string, string[]> => {
  const terms = termsOf(question);
  const senses = sensesOf(terms, languagesOf(terms), told);
  return new Map(senses.map(({ at, meant }) => [at.map((one) => terms[one]).join(' '), meant.map(({ root }) => root)]));
};

test('a word is known by others of its meaning, in the languages that texts are in', () => {
  assert.ok(meaningsOf('is there an elevator', ['en']).get('elev')?.includes('lift'));
  assert.ok(meaningsOf('is there an elevator').get('elev')?.includes('aufzug'));
  assert.equal(meaningsOf('is there an elevator', ['en']).get('elev')?.includes('aufzug'), false);
  assert.ok(meaningsOf('gibt es einen Aufzug', ['en']).get('aufzug')?.includes('lift'));
  assert.ok(meaningsOf('我的包裹在哪里', ['en']).get('包裹')?.includes('parcel'));
});

test('words that mean something together do not mean what each of them means', () => {
  const senses = meaningsOf('can I call my stay off', ['en']);
  assert.ok(senses.get('call off')?.includes('cancel'));
  assert.equal(senses.get('call off')?.includes('telephon'), false);
  assert.ok(meaningsOf('did somebody call', ['en']).get('call')?.includes('telephon'));
});

test('a word counts as one of the language that the question is in', () => {
  assert.ok(meaningsOf('le chat peut venir avec nous', ['en']).get('chat')?.includes('cat'));
  assert.equal(meaningsOf('is there a chat with you', ['en']).get('chat')?.includes('cat'), false);
});

test('a kind stands for what it is a kind of, for less', () => {
  const [sense] = sensesOf(['ibuprofen'], ['en'], ['en']);
  const weightOf = (root: string): number => sense!.meant.find((one) => one.root === root)?.weight ?? 0;
  assert.ok(weightOf('medicin') === 0 && weightOf('painkil') > 0);
  assert.ok(weightOf('thinner') < 0.5);
});

test('a word stands for its other forms nearly as for itself', () => {
  const [sense] = sensesOf(['chosen'], ['en'], ['en']);
  const weightOf = (root: string): number => sense!.meant.find((one) => one.root === root)?.weight ?? 0;
  assert.ok(Math.max(...sense!.meant.filter(({ root }) => root === 'choic').map(({ weight }) => weight)) > 0.8);
  assert.ok(weightOf('select') < 0.8);
  assert.deepEqual(sensesOf(['zweihander'], [], languages), []);
});

test('texts are in a language when they have most of the words that none does without', () => {
  assert.deepEqual(languagesWith(new Set(['the', 'and'])), ['en', 'zh', 'ja']);
  const german = termsOf('Der Aufzug ist nicht frei und fährt mit Strom auf und ab, ein Kind');
  assert.ok(languagesWith(new Set(german)).includes('de'));
});

test('every line of the lexicon has words of two or more languages, or two or more words, in known columns', () => {
  for (const [number, entries] of lexicon().meanings.entries()) {
    const line = `meaning ${number}: ${entries.map(({ roots }) => roots.join(' ')).join(', ')}`;
    assert.ok(new Set(entries.map(({ language, roots }) => `${language} ${roots.join(' ')}`)).size > 1, line);
    for (const { language, roots } of entries) {
      assert.ok(languages.includes(language), line);
      assert.ok(roots.length > 0 && roots.every((root) => root !== ''), line);
    }
  }
});

const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 70, maxLength: 70 })
  .map((values) => unitOf(values))
  .filter((unit) => unit !== undefined);

test('vectors come back as they were stored, and differing signs are counted', () => {
  fc.assert(
    fc.property(vector, fc.array(vector, { minLength: 1, maxLength: 5 }), (asked, others) => {
      assert.deepEqual(vectorOf(bytesOf(asked)), asked);
      assert.ok(Math.abs(cosine(asked, asked) - 1) < 1e-5);
      const counted = differences(signsOf(asked), Buffer.concat(others.map(signsOf)));
      const expected = others.map((other) => other.filter((value, at) => value > 0 !== asked[at]! > 0).length);
      assert.deepEqual([...counted], expected);
    }),
  );
  assert.equal(unitOf([0, 0]), undefined);
  assert.equal(unitOf([1, Number.NaN]), undefined);
});

test('a cosine says something only beyond what chance gives among so many, and never lowers a score', () => {
  const among = (passages: number) => ({ nearest: [], mean: 0.1, deviation: 0.05, passages });
  assert.equal(meaningOf(0.2, among(1000)), 0);
  assert.equal(meaningOf(0.6, among(1000)), 1);
  assert.ok(meaningOf(0.27, among(100)) > meaningOf(0.27, among(10_000)));
  assert.equal(fused(0.4, 0), 0.4);
  assert.ok(fused(0.4, 0.5) > 0.4 && fused(0.9, 1) <= 1);
});

test('passages come in portions, in order, and know which words no earlier one has', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom('apple', 'pear', 'plum', '林檎'), { maxLength: 400 })), (texts) => {
      const chunks = texts.map((words, index) => ({ text: words.join(' '), heading: `Part ${index}`, page: index }));
      const passages = [...portionsOf(chunks)].flatMap(passagesIn);
      assert.deepEqual(
        passages.map(({ text, heading, page }) => ({ text, heading, page })),
        chunks,
      );
      const fresh = passages.flatMap((passage) => wordsIn(passage.fresh));
      assert.deepEqual(new Set(fresh), new Set(passages.flatMap(({ all }) => wordsIn(all))));
      assert.equal(new Set(fresh).size, fresh.length);
    }),
  );
});

test('a portion is some passages, or one with many words that are new', () => {
  const words = (count: number, from = 0): string =>
    Array.from({ length: count }, (_, index) => `w${from + index}`).join(' ');
  const sizes = (texts: readonly string[]): number[] =>
    [...portionsOf(texts.map((text) => ({ text, heading: null, page: null })))].map(
      (portion) => passagesIn(portion).length,
    );
  assert.deepEqual(sizes(Array.from({ length: 3 }, (_, index) => words(300, index * 300))), [1, 1, 1]);
  assert.deepEqual(sizes(Array.from({ length: 31 }, () => words(50))), [6, 10, 10, 5]);
  assert.deepEqual(sizes([]), []);
});
