import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexedTerms, queryTerms } from '../../../src/search/contacts/terms.ts';

const orgId = '0195f5a0-0000-7000-8000-000000000001';

test('every part of a text has only terms that the text has', () => {
  const textWithPart = fc.tuple(fc.string({ unit: 'binary', maxLength: 80 }), fc.nat(80), fc.nat(80));
  fc.assert(
    fc.property(textWithPart, ([text, from, length]) => {
      const terms = new Set(indexedTerms(orgId, text).split(' '));
      for (const term of queryTerms(orgId, text.slice(from, from + length))) assert.ok(terms.has(term));
    }),
  );
});

test('another organization has other terms, and a part of fewer than three characters has none', () => {
  const [one] = queryTerms(orgId, 'ada');
  const [other] = queryTerms('0195f5a0-0000-7000-8000-000000000002', 'ada');
  assert.notEqual(one, other);
  assert.deepEqual(queryTerms(orgId, 'ad'), []);
  assert.match(indexedTerms(orgId, 'Ada "Lovelace"\n*'), /^[0-9a-z ]+$/, 'only characters that the tokenizer keeps');
});
