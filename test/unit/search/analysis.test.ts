import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spansOfTerms } from '../../../src/search/analysis/term-spans.ts';
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

test('every term of a text has its place there, however much longer or shorter the folded text is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = termsOf(text);
      const all = spansOfTerms(text, new Set(terms));
      for (const [index, [start, end]] of all.entries()) {
        assert.ok(start < end && end <= text.length && start > (all[index - 1]?.[1] ?? -1), JSON.stringify(all));
      }
      for (const term of terms) assert.notDeepEqual(spansOfTerms(text, new Set([term])), [], term);
    }),
  );
});

test('a place is that of the word in the text as it was written', () => {
  for (const [text, term, found] of [
    ['Die Straße, die STRASSE', 'strass', ['Straße', 'STRASSE']],
    ['cafe\u0301 ﬁne', 'fine', ['ﬁne']],
    ['cafe\u0301s und Café', 'cafe', ['cafe\u0301s', 'Café']],
    ['Wi-Fi, wifi', 'wifi', ['Wi-Fi', 'wifi']],
    ['well-known', 'known', ['known']],
    ["don't", 'dont', ["don't"]],
    ['1,000 or 1000', '1000', ['1,000', '1000']],
    ['我们的退款政策', '款政', ['款政']],
    ['ΟΔΟΣ', 'οδος', ['ΟΔΟΣ']],
    ['İstanbul refund', 'refund', ['refund']],
  ] as const) {
    const spans = spansOfTerms(text, new Set([term]));
    assert.deepEqual(
      spans.map(([start, end]) => text.slice(start, end)),
      found,
      text,
    );
  }
});
