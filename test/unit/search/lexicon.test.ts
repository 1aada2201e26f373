import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../../src/search/analysis/terms.ts';
import { detectTextLanguages, type Language, languages } from '../../../src/search/lexicon/languages.ts';
import { lexicon } from '../../../src/search/lexicon/lexicon.ts';
import { findSenses } from '../../../src/search/lexicon/senses.ts';
import { detectQueryLanguages, stopWordFilter } from '../../../src/search/lexicon/stop-words.ts';

test('the stop words of a language other than English count only in a query of that language', () => {
  const isStopWord = (query: string, word: string): boolean => stopWordFilter(termsOf(query))(word);
  assert.equal(isStopWord('price of the plus plan', 'plu'), false);
  assert.equal(isStopWord('est-ce que je peux payer en plus de trois fois', termsOf('plus')[0]!), true);
  assert.equal(isStopWord('was kostet die Lieferung', 'die'), true);
  assert.equal(isStopWord('did the plant die', 'die'), false);
});

/** The roots of the synonyms of each word or phrase of a query. */
const synonymsIn = (query: string, textLanguages: readonly Language[] = languages): Map<string, string[]> => {
  const terms = termsOf(query);
  const senses = findSenses(terms, detectQueryLanguages(terms), textLanguages);
  return new Map(
    senses.map(({ positions, synonyms }) => [
      positions.map((position) => terms[position]).join(' '),
      synonyms.map(({ root }) => root),
    ]),
  );
};

test('a word has synonyms in the languages of the texts', () => {
  assert.ok(synonymsIn('is there an elevator', ['en']).get('elev')?.includes('lift'));
  assert.ok(synonymsIn('is there an elevator').get('elev')?.includes('aufzug'));
  assert.equal(synonymsIn('is there an elevator', ['en']).get('elev')?.includes('aufzug'), false);
  assert.ok(synonymsIn('gibt es einen Aufzug', ['en']).get('aufzug')?.includes('lift'));
  assert.ok(synonymsIn('我的包裹在哪里', ['en']).get('包裹')?.includes('parcel'));
});

test('a phrase has its own synonyms instead of those of its words', () => {
  const synonyms = synonymsIn('can I call my stay off', ['en']);
  assert.ok(synonyms.get('call off')?.includes('cancel'));
  assert.equal(synonyms.get('call off')?.includes('telephon'), false);
  assert.ok(synonymsIn('did somebody call', ['en']).get('call')?.includes('telephon'));
});

test('a word is looked up in the language of the query', () => {
  assert.ok(synonymsIn('le chat peut venir avec nous', ['en']).get('chat')?.includes('cat'));
  assert.equal(synonymsIn('is there a chat with you', ['en']).get('chat')?.includes('cat'), false);
});

/** The highest weight with which one English word stands for another. */
const weightOf = (word: string, root: string): number => {
  const [sense] = findSenses([word], ['en'], ['en']);
  const weights = sense!.synonyms.filter((synonym) => synonym.root === root).map(({ weight }) => weight);
  return Math.max(0, ...weights);
};

test('a word stands for what it is a kind of, with a lower weight', () => {
  assert.equal(weightOf('ibuprofen', 'medicin'), 0);
  assert.ok(weightOf('ibuprofen', 'painkil') > 0);
  assert.ok(weightOf('ibuprofen', 'thinner') < 0.5);
});

test('other forms of a word weigh more than its synonyms', () => {
  assert.ok(weightOf('chosen', 'choic') > 0.8);
  assert.ok(weightOf('chosen', 'select') < 0.8);
  assert.deepEqual(findSenses(['zweihander'], [], languages), []);
});

test('texts are in a language when they have most of its marker words', () => {
  assert.deepEqual(detectTextLanguages(new Set(['the', 'and'])), ['en', 'zh', 'ja']);
  const german = termsOf('Der Aufzug ist nicht frei und fährt mit Strom auf und ab, ein Kind');
  assert.ok(detectTextLanguages(new Set(german)).includes('de'));
});

test('every synset has at least two different entries, all in columns of known languages', () => {
  for (const [number, entries] of lexicon().synsets.entries()) {
    const line = `synset ${number}: ${entries.map(({ roots }) => roots.join(' ')).join(', ')}`;
    assert.ok(new Set(entries.map(({ language, roots }) => `${language} ${roots.join(' ')}`)).size > 1, line);
    for (const { language, roots } of entries) {
      assert.ok(languages.includes(language), line);
      assert.ok(roots.length > 0 && roots.every((root) => root !== ''), line);
    }
  }
});
