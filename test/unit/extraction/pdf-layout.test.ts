import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockCollector } from '../../../src/extraction/blocks/block-collector.ts';
import { createTextBudget } from '../../../src/extraction/limits.ts';
import type { Block } from '../../../src/extraction/model.ts';
import { assembleLines, type Cell, type Line, lineText, type TextItem } from '../../../src/extraction/pdf/lines.ts';
import { withoutRunningHeaders } from '../../../src/extraction/pdf/running-headers.ts';
import { collectBlocks } from '../../../src/extraction/pdf/structure.ts';
import { tableAt } from '../../../src/extraction/pdf/table.ts';
import { pdfByCharacterMap } from '../../support/documents/pdf.ts';
import { limits, read } from './support.ts';

/*
 * Each threshold of the layout analysis is tested on both sides, so that moving it by a tenth (or by one, if it counts
 * something) fails a test.
 */

const fontSize = 10;

/** A run of text that is 20 points wide. */
const run = (str: string, x: number, { y = 700, size = fontSize } = {}): TextItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: 20,
  hasEOL: false,
});

const cell = (text: string, start = 0): Cell => ({ text, start, end: start + 20 });

/** A line whose cells are 100 points apart. */
const line = (y: number, ...texts: string[]): Line => ({
  cells: texts.map((text, column) => cell(text, column * 100)),
  y,
  size: fontSize,
  page: 1,
});

function blocksOf(lines: readonly Line[]): Block[] {
  const collector = createBlockCollector(createTextBudget(limits));
  collectBlocks(lines, collector);
  return collector.blocks;
}

const kindsOf = (lines: readonly Line[]): string[] => blocksOf(lines).map(({ kind }) => kind);

/** Texts of the cells of two runs with a gap between them, in font sizes. */
const cellsWithGap = (gap: number): string[] =>
  assembleLines([run('one', 100), run('two', 120 + gap * fontSize)], 1).flatMap(({ cells }) =>
    cells.map(({ text }) => text),
  );

test('a gap of more than 0.15 font sizes is a space, a gap of more than 1 separates cells', () => {
  assert.deepEqual(cellsWithGap(0.14), ['onetwo']);
  assert.deepEqual(cellsWithGap(0.16), ['one two']);
  assert.deepEqual(cellsWithGap(0.97), ['one two']);
  assert.deepEqual(cellsWithGap(1.03), ['one', 'two']);
});

test('runs are on one line if their baselines are less than half a font size apart', () => {
  const texts = (shift: number): string[] =>
    assembleLines([run('10', 100), run('th', 121, { y: 700 + shift * fontSize })], 1).map(lineText);
  assert.deepEqual(texts(0.48), ['10th']);
  assert.deepEqual(texts(0.52), ['10', 'th']);
});

test('five or more dots are leaders', () => {
  const text = (dots: number): string => lineText(assembleLines([run(`Returns ${'.'.repeat(dots)} 7`, 100)], 1)[0]!);
  assert.equal(text(4), 'Returns .... 7');
  assert.equal(text(5), 'Returns … 7');
});

/** Pages of 1,000 points with ten lines of body text, and one more line on each of the first pages. */
const pagesWith = (extra: Line, count: number) =>
  [1, 2, 3, 4].map((page) => ({
    height: 1000,
    lines: [
      ...(page <= count ? [extra] : []),
      ...Array.from({ length: 10 }, (_, index) => line(800 - index * 13, 'Some words of the body.')),
    ],
  }));

const survives = (extra: Line, count = 4): boolean =>
  withoutRunningHeaders(pagesWith(extra, count)).some((each) => lineText(each) === 'ACME handbook');

test('a line within 8 percent of the top or bottom that repeats on 3 pages is a running header or footer', () => {
  assert.equal(survives(line(925, 'ACME handbook')), false);
  assert.equal(survives(line(915, 'ACME handbook')), true);
  assert.equal(survives(line(75, 'ACME handbook')), false);
  assert.equal(survives(line(85, 'ACME handbook')), true);
  assert.equal(survives(line(975, 'ACME handbook'), 3), false);
  assert.equal(survives(line(975, 'ACME handbook'), 2), true);
});

test('a line more than 1 point larger than the body is not a running header', () => {
  assert.equal(survives({ ...line(975, 'ACME handbook'), size: fontSize + 0.95 }), false);
  assert.equal(survives({ ...line(975, 'ACME handbook'), size: fontSize + 1.05 }), true);
});

/** Body text that makes 10 points the body size and 13 points the usual line distance. */
const body = Array.from({ length: 12 }, (_, index) => line(600 - index * 13, 'All of this belongs to the body of it.'));

test('a heading is at least 1.15 times as large as the body and at most 200 characters long', () => {
  const isHeading = (size: number, text = 'Returns'): boolean =>
    kindsOf([{ ...line(700, text), size }, ...body])[0] === 'heading';
  assert.equal(isHeading(11.4), false);
  assert.equal(isHeading(11.6), true);
  assert.equal(isHeading(20, 'x'.repeat(200)), true);
  assert.equal(isHeading(20, 'x'.repeat(201)), false);
});

test('heading levels follow the font sizes, which are rounded to half points', () => {
  const levels = blocksOf([
    { ...line(800, 'Guide'), size: 20 },
    { ...line(770, 'Returns'), size: 16.2 },
    { ...line(740, 'Repairs'), size: 15.8 },
    { ...line(710, 'Fees'), size: 15.5 },
    ...body,
  ]).flatMap((block) => (block.kind === 'heading' ? [[block.text, block.level]] : []));
  assert.deepEqual(levels, [
    ['Guide', 1],
    ['Returns', 2],
    ['Repairs', 2],
    ['Fees', 3],
  ]);
});

test('a line gap of more than 1.35 usual distances starts a paragraph', () => {
  const paragraphs = (gap: number): number =>
    kindsOf([...body, line(body.at(-1)!.y - gap * 13, 'Next to come are the fees.')]).length;
  assert.equal(paragraphs(1.32), 1);
  assert.equal(paragraphs(1.38), 2);
});

test('the usual line distance is at most 2 body sizes, so that a page of one-line paragraphs is not joined', () => {
  const paragraphs = (distance: number): number =>
    kindsOf(Array.from({ length: 6 }, (_, index) => line(600 - index * distance, 'A short paragraph.'))).length;
  assert.equal(paragraphs(2 * fontSize * 1.33), 1);
  assert.equal(paragraphs(2 * fontSize * 1.37), 6);
});

test('a table has at least 3 rows', () => {
  const row = (y: number): Line => line(y, 'Shoe', '30');
  assert.equal(tableAt([row(700), row(687)], 0), undefined);
  assert.equal(tableAt([row(700), row(687), row(674)], 0)?.rows.length, 3);
});

test('cells of more than 60 characters on average are columns of prose, not a table', () => {
  const rows = (chars: number): Line[] => [700, 687, 674].map((y) => line(y, 'x'.repeat(chars), 'y'.repeat(chars)));
  assert.notEqual(tableAt(rows(60), 0), undefined);
  assert.equal(tableAt(rows(61), 0), undefined);
});

test('rows of a table are less than 3.5 font sizes apart', () => {
  const rows = (gap: number): number | undefined =>
    tableAt(
      [0, 1, 2, 3].map((index) => line(700 - index * gap * fontSize, 'Shoe', '30')),
      0,
    )?.rows.length;
  assert.equal(rows(3.45), 4);
  assert.equal(rows(3.55), undefined);
});

test('a line with a single cell continues the cell above it, except in the first column', () => {
  const rows = [line(700, 'Item', 'Note'), line(687, 'Shoe', 'Unworn,'), line(674, 'Boot', 'Clean')];
  const continuation = { ...line(661), cells: [cell('and dry', 100)] };
  const last = line(648, 'Belt', 'New');
  assert.deepEqual(tableAt([...rows, continuation, last], 0)?.rows, [
    ['Item', 'Note'],
    ['Shoe', 'Unworn,'],
    ['Boot', 'Clean and dry'],
    ['Belt', 'New'],
  ]);
  assert.deepEqual(tableAt([...rows, line(661, 'Prose that follows'), last], 0)?.length, 3);
});

test('a PDF that lacks a character map is refused if it has fewer than 100 readable characters per page', async () => {
  const document = (chars: number): Buffer => pdfByCharacterMap('90ms-RKSJ-H', '82b182f1', 'x'.repeat(chars));
  await assert.rejects(read(document(95)), /character map/);
  assert.match((await read(document(100))).text, /x{100}/);
});
