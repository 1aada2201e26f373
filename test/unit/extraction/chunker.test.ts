import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkBlocks, maxChunkChars, maxChunkTokens } from '../../../src/extraction/chunking/chunker.ts';
import type { Block, Chunk } from '../../../src/extraction/model.ts';
import { sizeOf } from '../../../src/extraction/chunking/tokens.ts';

const paragraph = (text: string, page: number | null = null): Block => ({ kind: 'paragraph', text, page });
const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text, page: null });
const table = (rows: string[][]): Block => ({ kind: 'table', rows, page: null });
const list = (...items: string[]): Block => ({ kind: 'list', text: items.join('\n'), page: null });

/** Makes `count` sentences of about twelve tokens each. */
const prose = (count: number, word = 'parcel'): string =>
  Array.from({ length: count }, (_, index) => `Every ${word} number ${index} travels to the customer by road.`).join(
    ' ',
  );

const withoutWhiteSpace = (text: string): string => text.replace(/\s/g, '');

test('a section becomes one passage with the path of its headings', () => {
  const chunks = chunkBlocks([
    paragraph('Before any heading.'),
    heading(1, 'Guide'),
    paragraph('Welcome.'),
    heading(2, 'Returns'),
    paragraph('Send it back within 30 days.'),
    list('Unworn', 'With its label'),
    heading(2, 'Repairs'),
    paragraph('We repair for two years.'),
    heading(1, 'Contact'),
    paragraph('Write to us.'),
  ]);
  assert.deepEqual(chunks, [
    { heading: null, text: 'Before any heading.', page: null },
    { heading: 'Guide', text: 'Welcome.', page: null },
    { heading: 'Guide › Returns', text: 'Send it back within 30 days.\n\nUnworn\nWith its label', page: null },
    { heading: 'Guide › Repairs', text: 'We repair for two years.', page: null },
    { heading: 'Contact', text: 'Write to us.', page: null },
  ]);
});

test('a heading without content is kept as text of the enclosing section', () => {
  const chunks = chunkBlocks([
    heading(1, 'Guide'),
    heading(2, 'Coming soon'),
    heading(2, 'Returns'),
    paragraph('Yes.'),
  ]);
  assert.deepEqual(chunks, [
    { heading: 'Guide', text: 'Coming soon', page: null },
    { heading: 'Guide › Returns', text: 'Yes.', page: null },
  ]);
});

test('a heading as long as a paragraph is treated as a paragraph', () => {
  const text = prose(5);
  assert.deepEqual(chunkBlocks([heading(1, text)]), [{ heading: null, text, page: null }]);
});

test('long prose is divided between sentences into passages of 200 to 300 tokens', () => {
  for (const text of [prose(200), '荷物は三日以内に東京のお客様へ届けられます。'.repeat(200)]) {
    const chunks = chunkBlocks([paragraph(text)]);
    for (const chunk of chunks) assert.match(chunk.text, /[.。]$/);
    const sizes = chunks.map((chunk) => sizeOf(chunk.text).tokens);
    for (const size of sizes.slice(0, -2)) assert.ok(size >= 200 && size <= maxChunkTokens, `${size}`);
    assert.ok(sizes.at(-1)! >= 70, `the last passage is not a small remainder: ${sizes.at(-1)}`);
  }
});

test('a passage keeps the spaces of its document exactly', () => {
  for (const text of [
    'Begin at https://shop.example.com/returns?order=5&lang=en today. Or call.',
    'The SDK supports C# and .NET 8 and a .env file. Set .env now.',
    '您可以在三十天内退货。返品は30日以内に可能です。',
    'a!b!c!D',
    '“Hello.”She said. She left.',
    'x = !Yes ? .5 : .75',
  ]) {
    assert.deepEqual(chunkBlocks([paragraph(text)]), [{ heading: null, text, page: null }]);
    for (const chunk of chunkBlocks([list(text.repeat(60))])) assert.doesNotMatch(chunk.text, /\n/);
  }
});

test('text written without spaces is divided between sentences, other text never inside a word', () => {
  const chinese = chunkBlocks([paragraph('您可以在三十天内退货。请联系我们！好吗？'.repeat(60))]);
  assert.ok(chinese.length > 2);
  for (const { text } of chinese) assert.match(text, /[。！？]$/);
  const addresses = chunkBlocks([paragraph('See https://example.com/?q=1!a.B for it. '.repeat(120))]);
  assert.ok(addresses.length > 2);
  for (const { text } of addresses) assert.match(text, /^See .* it\.$/);
});

test('a divided table repeats its header row and keeps every row whole', () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`Article ${index}`, `${index}.99`, 'in stock']);
  const chunks = chunkBlocks([paragraph('Our prices:'), table([['Article', 'Price', 'Stock'], ...rows])]);
  assert.ok(chunks.length > 3);
  for (const chunk of chunks) {
    const lines = chunk.text.split('\n').filter((line) => line !== '' && line !== 'Our prices:');
    assert.equal(lines[0], 'Article | Price | Stock');
    for (const line of lines.slice(1)) assert.match(line, /^Article (\d+) \| \1\.99 \| in stock$/);
  }
  const numbers = chunks.flatMap(({ text }) =>
    [...text.matchAll(/^Article (\d+) /gm)].map(([, number]) => Number(number)),
  );
  assert.deepEqual(
    numbers,
    rows.map((_, index) => index),
  );
});

test('a table whose header row is too long to repeat prefixes each cell with its column name', () => {
  const names = Array.from({ length: 80 }, (_, index) => `Column number ${index}`);
  const chunks = chunkBlocks([
    table([names, names.map((_, index) => `v${index}`), names.map((_, index) => `w${index}`)]),
  ]);
  const text = chunks.map((chunk) => chunk.text).join('\n');
  assert.match(text, /^Column number 17: v17$/m);
  assert.match(text, /^Column number 79: w79$/m);
});

test('a list that fits into a passage stays whole', () => {
  const items = Array.from({ length: 12 }, (_, index) => `Item ${index} costs a little more than the one before it`);
  const chunks = chunkBlocks([paragraph(prose(10)), list(...items), paragraph(prose(10))]);
  assert.ok(chunks.some(({ text }) => text.includes(items.join('\n'))));
});

test('a passage above the minimum size ends where its page ends', () => {
  const chunks = chunkBlocks([
    paragraph(prose(14), 1),
    paragraph(prose(3), 2),
    paragraph(prose(3), 2),
    paragraph('End.', 3),
  ]);
  assert.deepEqual(
    chunks.map(({ page }) => page),
    [1, 2],
  );
});

test('ten megabytes without a space are divided without losing a character', () => {
  const chunks = chunkBlocks([paragraph('x'.repeat(10_000_000))]);
  assert.equal(
    chunks.reduce((sum, { text }) => sum + text.length, 0),
    10_000_000,
  );
});

/** Parsers never return a heading, row or cell without text. */
const nonBlank = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength, unit: 'grapheme' }).filter((value) => value.trim() !== '');
const word = fc.oneof(nonBlank(40), fc.constantFrom('価格。', '😀😀', 'Straße', 'x'.repeat(2500)));
const text = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(' '));
const content = fc.oneof(
  fc.record({
    kind: fc.constantFrom('paragraph' as const, 'list' as const, 'code' as const),
    text,
    page: fc.constantFrom(null, 1, 2),
  }),
  fc.record({
    kind: fc.constant('heading' as const),
    level: fc.integer({ min: 1, max: 6 }),
    text: word,
    page: fc.constant(null),
  }),
);
const cell = nonBlank(10);
const rowsOf = (one: fc.Arbitrary<string>) =>
  fc.array(fc.array(one, { minLength: 1, maxLength: 6 }), { maxLength: 20 });
const tableOf = (one: fc.Arbitrary<string>) => rowsOf(one).map(table);

/** The chunker sums the tokens in another order, so floating-point rounding differs. */
const roundingError = 1e-9;

const textOfAll = (chunks: readonly Chunk[]): string =>
  withoutWhiteSpace(chunks.map(({ text: passage }) => passage).join(''));

test('property: every passage is within the limits and none is empty', () => {
  const blocks = fc.array(fc.oneof(content, tableOf(word)), { maxLength: 12 });
  fc.assert(
    fc.property(blocks, (document) => {
      for (const chunk of chunkBlocks(document)) {
        const { tokens, chars } = sizeOf(chunk.text);
        assert.ok(chars <= maxChunkChars, `${chars} characters`);
        assert.ok(tokens <= maxChunkTokens + roundingError, `${tokens} tokens`);
        assert.notEqual(chunk.text.trim(), '');
        assert.ok(chunk.text.isWellFormed() || !JSON.stringify(document).isWellFormed());
      }
    }),
    { numRuns: 60 },
  );
});

test('property: no character is lost or reordered', () => {
  fc.assert(
    fc.property(
      fc.array(
        content.filter(({ kind }) => kind !== 'heading'),
        { maxLength: 12 },
      ),
      (document) => {
        assert.equal(textOfAll(chunkBlocks(document)), withoutWhiteSpace(document.map((block) => block.text).join('')));
      },
    ),
    { numRuns: 60 },
  );
});

const sentenceLike = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.string({ maxLength: 12, unit: 'grapheme' }),
        fc.constantFrom('example.com/?q=1', '.NET', 'a!b', '退货', 'Go', '5', 'y'.repeat(1300)),
      ),
      fc.constantFrom('.', '!', '?', '。', '？', '.)', '。」', '…', '', ','),
      fc.constantFrom('', ' ', '  ', '\n'),
    ),
    { minLength: 1, maxLength: 200 },
  )
  .map((parts) => parts.flat().join(''));

test('property: a passage of a paragraph is a part of it, apart from the amount of white space', () => {
  const collapse = (value: string): string => value.replace(/\s+/g, ' ');
  fc.assert(
    fc.property(sentenceLike, fc.constantFrom('paragraph' as const, 'list' as const), (input, kind) => {
      const source = collapse(input);
      for (const chunk of chunkBlocks([{ kind, text: input, page: null }]))
        assert.ok(source.includes(collapse(chunk.text)), JSON.stringify(chunk.text));
    }),
    { numRuns: 100 },
  );
});

test('property: every heading is in a passage or in a heading path', () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 12 }), (document) => {
      const found = chunkBlocks(document)
        .map((chunk) => withoutWhiteSpace(`${chunk.heading ?? ''}\n${chunk.text}`))
        .join('');
      for (const block of document) {
        if (block.kind === 'heading' && block.text.length <= 200)
          assert.ok(found.includes(withoutWhiteSpace(block.text)), block.text);
      }
    }),
    { numRuns: 60 },
  );
});

test('property: every cell of a table is in a passage', () => {
  fc.assert(
    fc.property(rowsOf(cell), (rows) => {
      const found = textOfAll(chunkBlocks([table(rows)]));
      for (const each of rows.flat()) assert.ok(found.includes(withoutWhiteSpace(each)), each);
    }),
    { numRuns: 60 },
  );
});
