import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { extractAddon, nativeBindingPath } from '../../src/db/sqlite/addon.ts';

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-addon-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('in a checkout better-sqlite3 loads its own addon, and parley writes none', (t) => {
  const directory = temporaryDirectory(t);
  assert.equal(nativeBindingPath(directory), undefined);
  assert.deepEqual(readdirSync(directory), []);
});

test('the addon is written below a data directory that does not exist yet, readable only for its owner', (t) => {
  const path = extractAddon(Buffer.from('addon'), join(temporaryDirectory(t), 'new'));
  assert.match(path, /\.node$/);
  assert.equal(readFileSync(path, 'utf8'), 'addon');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('an intact addon is not written again', (t) => {
  const directory = temporaryDirectory(t);
  const path = extractAddon(Buffer.from('addon'), directory);
  const { ino } = statSync(path);
  assert.equal(extractAddon(Buffer.from('addon'), directory), path);
  assert.equal(statSync(path).ino, ino);
});

test('an older or damaged addon is replaced, and no other file stays', (t) => {
  const directory = temporaryDirectory(t);
  const path = extractAddon(Buffer.from('addon'), directory);
  writeFileSync(path, 'add');
  extractAddon(Buffer.from('addon'), directory);
  assert.equal(readFileSync(path, 'utf8'), 'addon');
  assert.deepEqual(readdirSync(dirname(path)), ['better_sqlite3.node']);
});
