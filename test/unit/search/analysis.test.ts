import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { termsOf } from '../../../src/search/analysis/terms.ts';

test('words are folded and stemmed, and split where people differ in how they write them', () => {
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

/** Any code points, lone surrogates among them. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x10ffff), fc.nat(0x2ff)), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points));

test('a term never contains a character that the index takes for the end of a word', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const term of termsOf(text)) assert.match(term, /^(?:[a-z0-9.]|[^\p{ASCII}])+$/u);
    }),
  );
});
