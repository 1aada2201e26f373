import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkBlocks, maxChunkTokens } from '../../../src/extraction/chunking/chunker.ts';
import { sizeOf } from '../../../src/extraction/chunking/tokens.ts';
import { parseHtml } from '../../../src/extraction/html/parse.ts';
import type { Block } from '../../../src/extraction/model.ts';
import { parsePlainText } from '../../../src/extraction/plain/plain-text.ts';
import { limits } from './support.ts';

const kindsOf = (blocks: readonly Block[]): string[] => blocks.map(({ kind }) => kind);

test('a main element is used if it has 200 characters or more, however long the page is', () => {
  const textWith = (chars: number): string =>
    parseHtml(`<main><p>${'m'.repeat(chars)}</p></main><p>${'o'.repeat(1000)}</p>`, limits)
      .blocks.map((block) => (block.kind === 'table' ? '' : block.text))
      .join('');
  assert.ok(!textWith(200).includes('o'));
  assert.ok(textWith(199).includes('o'));
});

test('a table with a cell of more than 1,000 characters is layout', () => {
  const kindsWith = (chars: number): string[] =>
    kindsOf(
      parseHtml(`<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>${'x'.repeat(chars)}</td></tr></table>`, limits)
        .blocks,
    );
  assert.deepEqual(kindsWith(1000), ['table']);
  assert.ok(!kindsWith(1001).includes('table'));
});

test('lines of more than 60 characters were wrapped at the page width', () => {
  const kindsWith = (chars: number): string[] => kindsOf(parsePlainText(`${'x'.repeat(chars)}\nand on`, limits));
  assert.deepEqual(kindsWith(61), ['paragraph']);
  assert.deepEqual(kindsWith(60), ['list']);
});

/** A text of `tokens` tokens with four letters each. */
const words = (tokens: number, letter = 'x'): string => letter.repeat(4 * tokens);
const paragraph = (text: string, page: number | null = null): Block => ({ kind: 'paragraph', text, page });

test('a passage of 150 tokens or more ends where its page ends', () => {
  const passagesWith = (tokens: number): number =>
    chunkBlocks([paragraph(words(tokens), 1), paragraph('End.', 2)]).length;
  assert.equal(passagesWith(150), 2);
  assert.equal(passagesWith(149), 1);
});

test('a last passage of less than 80 tokens takes a sentence from the one before it', () => {
  const sizesWith = (tokens: number): number[] => {
    const first = ['A', 'B', 'C'].map((letter) => `${words(95, letter)}. `).join('');
    const blocks = [paragraph(`${first}${words(tokens, 'Z')}`)];
    return chunkBlocks(blocks).map(({ text }) => Math.floor(sizeOf(text).tokens / 95));
  };
  assert.deepEqual(sizesWith(80), [3, 0]);
  assert.deepEqual(sizesWith(79), [2, 1]);
});

test('a header row of up to 30 percent of a passage is repeated', () => {
  const rows = (headerTokens: number): string[][] => [
    [words(headerTokens, 'h')],
    ...Array.from({ length: 20 }, () => [words(30)]),
  ];
  const repeatedIn = (headerTokens: number): boolean =>
    chunkBlocks([{ kind: 'table', rows: rows(headerTokens), page: null }])
      .slice(1)
      .every(({ text }) => text.startsWith(words(headerTokens, 'h')));
  assert.ok(repeatedIn(0.3 * maxChunkTokens));
  assert.ok(!repeatedIn(0.3 * maxChunkTokens + 1));
});
