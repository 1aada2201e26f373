import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunksOf, maxChunkChars, maxChunkTokens } from '../../../src/extraction/chunking/chunker.ts';
import type { Block, Chunk } from '../../../src/extraction/model.ts';
import { sizeOf } from '../../../src/extraction/chunking/tokens.ts';

const paragraph = (text: string, page: number | null = null): Block => ({ kind: 'paragraph', text, page });
const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text, page: null });
const table = (rows: string[][]): Block => ({ kind: 'table', rows, page: null });
const list = (...items: string[]): Block => ({ kind: 'list', text: items.join('\n'), page: null });

/** `count` sentences of about twelve tokens. */
const prose = (count: number, word = 'parcel'): string =>
  Array.from({ length: count }, (_, index) => `Every ${word} number ${index} travels to the customer by road.`).join(
    ' ',
  );

const bare = (text: string): string => text.replace(/\s/g, '');

test('what stands under one heading is one passage, with the path of its headings', () => {
  const chunks = chunksOf([
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

test('a heading with nothing under it is kept as a text of the heading above', () => {
  const chunks = chunksOf([heading(1, 'Guide'), heading(2, 'Coming soon'), heading(2, 'Returns'), paragraph('Yes.')]);
  assert.deepEqual(chunks, [
    { heading: 'Guide', text: 'Coming soon', page: null },
    { heading: 'Guide › Returns', text: 'Yes.', page: null },
  ]);
});

test('a heading as long as a paragraph is one', () => {
  const text = prose(5);
  assert.deepEqual(chunksOf([heading(1, text)]), [{ heading: null, text, page: null }]);
});

test('long prose is divided between sentences into passages of 200 to 300 tokens', () => {
  for (const text of [prose(200), '荷物は三日以内に東京のお客様へ届けられます。'.repeat(200)]) {
    const chunks = chunksOf([paragraph(text)]);
    for (const chunk of chunks) assert.match(chunk.text, /[.。]$/);
    const sizes = chunks.map((chunk) => sizeOf(chunk.text).tokens);
    for (const size of sizes.slice(0, -2)) assert.ok(size >= 200 && size <= maxChunkTokens, `${size}`);
    assert.ok(sizes.at(-1)! >= 70, `the rest is no snippet: ${sizes.at(-1)}`);
  }
});

test('a passage says what its document says, blank for blank', () => {
  for (const text of [
    'Begin at https://shop.example.com/returns?order=5&lang=en today. Or call.',
    'The SDK supports C# and .NET 8 and a .env file. Set .env now.',
    '您可以在三十天内退货。返品は30日以内に可能です。',
    'a!b!c!D',
    '“Hello.”She said. She left.',
    'x = !Yes ? .5 : .75',
  ]) {
    assert.deepEqual(chunksOf([paragraph(text)]), [{ heading: null, text, page: null }]);
    for (const chunk of chunksOf([list(text.repeat(60))])) assert.doesNotMatch(chunk.text, /\n/);
  }
});

test('text that is written without blanks is divided between sentences, any other not inside a word', () => {
  const chinese = chunksOf([paragraph('您可以在三十天内退货。请联系我们！好吗？'.repeat(60))]);
  assert.ok(chinese.length > 2);
  for (const { text } of chinese) assert.match(text, /[。！？]$/);
  const addresses = chunksOf([paragraph('See https://example.com/?q=1!a.B for it. '.repeat(120))]);
  assert.ok(addresses.length > 2);
  for (const { text } of addresses) assert.match(text, /^See .* it\.$/);
});

test('a divided table repeats its header row, and no row is parted', () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`Article ${index}`, `${index}.99`, 'in stock']);
  const chunks = chunksOf([paragraph('Our prices:'), table([['Article', 'Price', 'Stock'], ...rows])]);
  assert.ok(chunks.length > 3);
  for (const chunk of chunks) {
    const lines = chunk.text.split('\n').filter((line) => line !== '' && line !== 'Our prices:');
    assert.equal(lines[0], 'Article | Price | Stock');
    for (const line of lines.slice(1)) assert.match(line, /^Article (\d+) \| \1\.99 \| in stock$/);
  }
  const written = chunks.flatMap(({ text }) =>
    [...text.matchAll(/^Article (\d+) /gm)].map(([, number]) => Number(number)),
  );
  assert.deepEqual(
    written,
    rows.map((_, index) => index),
  );
});

test('a table with too many columns to repeat names the column in each cell', () => {
  const names = Array.from({ length: 80 }, (_, index) => `Column number ${index}`);
  const chunks = chunksOf([table([names, names.map((_, index) => `v${index}`), names.map((_, index) => `w${index}`)])]);
  const text = chunks.map((chunk) => chunk.text).join('\n');
  assert.match(text, /^Column number 17: v17$/m);
  assert.match(text, /^Column number 79: w79$/m);
});

test('a list that a passage can hold stays whole', () => {
  const items = Array.from({ length: 12 }, (_, index) => `Item ${index} costs a little more than the one before it`);
  const chunks = chunksOf([paragraph(prose(10)), list(...items), paragraph(prose(10))]);
  assert.ok(chunks.some(({ text }) => text.includes(items.join('\n'))));
});

test('a passage that is long enough ends with its page', () => {
  const chunks = chunksOf([
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

test('ten megabytes without a space are parted all the same', () => {
  const chunks = chunksOf([paragraph('x'.repeat(10_000_000))]);
  assert.equal(
    chunks.reduce((sum, { text }) => sum + text.length, 0),
    10_000_000,
  );
});

/** Parsers give no heading, row or cell without text. */
const written = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength, unit: 'grapheme' }).filter((given) => given.trim() !== '');
const word = fc.oneof(written(40), fc.constantFrom('価格。', '😀😀', 'Straße', 'x'.repeat(2500)));
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
const cell = written(10);
const rowsOf = (one: fc.Arbitrary<string>) =>
  fc.array(fc.array(one, { minLength: 1, maxLength: 6 }), { maxLength: 20 });
const tableOf = (one: fc.Arbitrary<string>) => rowsOf(one).map(table);

/** Tokens are added up in another order here. */
const roundingOfSums = 1e-9;

const everything = (chunks: readonly Chunk[]): string => bare(chunks.map(({ text: passage }) => passage).join(''));

test('property: every passage is within its bounds and none is empty', () => {
  const blocks = fc.array(fc.oneof(content, tableOf(word)), { maxLength: 12 });
  fc.assert(
    fc.property(blocks, (document) => {
      for (const chunk of chunksOf(document)) {
        const { tokens, chars } = sizeOf(chunk.text);
        assert.ok(chars <= maxChunkChars, `${chars} characters`);
        assert.ok(tokens <= maxChunkTokens + roundingOfSums, `${tokens} tokens`);
        assert.notEqual(chunk.text.trim(), '');
        assert.ok(chunk.text.isWellFormed() || !JSON.stringify(document).isWellFormed());
      }
    }),
    { numRuns: 60 },
  );
});

test('property: no character is lost, and all stand in the order of the document', () => {
  fc.assert(
    fc.property(
      fc.array(
        content.filter(({ kind }) => kind !== 'heading'),
        { maxLength: 12 },
      ),
      (document) => {
        assert.equal(everything(chunksOf(document)), bare(document.map((block) => block.text).join('')));
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

test('property: a passage of a paragraph is a part of it, but for how wide white space is', () => {
  const evenly = (given: string): string => given.replace(/\s+/g, ' ');
  fc.assert(
    fc.property(sentenceLike, fc.constantFrom('paragraph' as const, 'list' as const), (given, kind) => {
      const source = evenly(given);
      for (const chunk of chunksOf([{ kind, text: given, page: null }]))
        assert.ok(source.includes(evenly(chunk.text)), JSON.stringify(chunk.text));
    }),
    { numRuns: 100 },
  );
});

test('property: every heading is in a passage or in a path', () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 12 }), (document) => {
      const found = chunksOf(document)
        .map((chunk) => bare(`${chunk.heading ?? ''}\n${chunk.text}`))
        .join('');
      for (const block of document) {
        if (block.kind === 'heading' && block.text.length <= 200)
          assert.ok(found.includes(bare(block.text)), block.text);
      }
    }),
    { numRuns: 60 },
  );
});

test('property: every cell of a table is in a passage', () => {
  fc.assert(
    fc.property(rowsOf(cell), (rows) => {
      const found = everything(chunksOf([table(rows)]));
      for (const each of rows.flat()) assert.ok(found.includes(bare(each)), each);
    }),
    { numRuns: 60 },
  );
});
