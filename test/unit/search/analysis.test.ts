import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spansOfTerms } from '../../../src/search/analysis/term-spans.ts';
import { termsOf } from '../../../src/search/analysis/tokenize.ts';

test('words are folded and stemmed, and text without blanks is cut into overlapping pairs of characters', () => {
  for (const [text, terms] of [
    ['Refunds & REFUNDED', 'refund refund'],
    ['Straße Strasse', 'strass strass'],
    ['Müller’s café', 'muller s cafe'],
    ['Wi-Fi v1.2', 'wi fi v1 2'],
    ['退款政策', '退款 款政 政策'],
    ['退', '退'],
    ['サービス IT部', 'サー ービ ビス it 部'],
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
      for (const term of termsOf(text)) assert.match(term, /^(?:[a-z0-9]|[^\p{ASCII}])+$/u);
    }),
  );
});

test('every term of a text has its position there, however much longer or shorter the folded text is', () => {
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

test('a position is that of the word in the text as it was written', () => {
  for (const [text, term, found] of [
    ['Die Straße, die STRASSE', 'strass', ['Straße', 'STRASSE']],
    ['cafe\u0301 ﬁne', 'fine', ['ﬁne']],
    ['cafe\u0301s und Café', 'cafe', ['cafe\u0301s', 'Café']],
    ['well-known', 'known', ['known']],
    ['Fuß und Füße', 'fuss', ['Fuß', 'Füße']],
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
