import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDashboard } from '../../../src/main/dashboard.ts';

const { assets, pages } = await loadDashboard();

const kilobytes = (bytes: number): number => bytes / 1000;

const filesOf = (group: string): string[] =>
  [...(pages[group] ?? pages['']!).matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name!);

/** The size of assets compressed with gzip, which is larger than with br. */
const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Buffer.from(assets[name]!.gzip, 'base64').length, 0);

test('log-in needs at most 8 requests and 60 KB', () => {
  const files = filesOf('login');
  // Two more requests are those for the page itself and for the session.
  assert.ok(files.length + 2 <= 8, `${files.length} files`);
  const size = kilobytes(sizeOf(files) + Buffer.byteLength(pages['']!));
  assert.ok(size > 10 && size <= 60, `${size} KB`);
});

test('each further page needs at most 30 KB more, in at most two files', () => {
  const shell = new Set(filesOf(''));
  const groups = Object.keys(pages).filter((group) => group !== '');
  assert.ok(groups.length >= 6, `only ${groups.join(', ')}`);
  for (const group of groups) {
    const own = filesOf(group).filter((name) => !shell.has(name));
    assert.ok(own.length <= 2, `${group} loads ${own.join(', ')}`);
    assert.ok(kilobytes(sizeOf(own)) <= 30, `${group} has ${kilobytes(sizeOf(own))} KB`);
  }
});

test('there is one style sheet, of at most 12 KB with br', () => {
  const sheets = Object.entries(assets).filter(([name]) => name.endsWith('.css'));
  assert.equal(sheets.length, 1);
  const size = kilobytes(Buffer.from(sheets[0]![1].br, 'base64').length);
  assert.ok(size > 1 && size <= 12, `${size} KB`);
});

/** What a page loads only when somebody talks to an agent. */
const soundFiles = Object.keys(assets).filter((name) => /^(?:sound|worklet)-/.test(name));

test('sound comes in two files of at most 12 KB together, and no page loads them at first', () => {
  assert.equal(soundFiles.length, 2);
  assert.ok(kilobytes(sizeOf(soundFiles)) <= 12, `${kilobytes(sizeOf(soundFiles))} KB`);
  const used = new Set(Object.keys(pages).flatMap(filesOf));
  assert.deepEqual(
    soundFiles.filter((name) => used.has(name)),
    [],
  );
});

test('every file that a page names is part of the build, and a page loads every other file', () => {
  const used = new Set([...Object.keys(pages).flatMap(filesOf), ...soundFiles]);
  assert.deepEqual([...used].toSorted(), Object.keys(assets).toSorted());
});
