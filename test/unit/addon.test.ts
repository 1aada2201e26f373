import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { extractAddon, loadAddon, nativeBindingPath } from '../../src/db/sqlite/addon.ts';

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

test('a file left by a process that was killed while unpacking is removed by the next unpacking', (t) => {
  const directory = temporaryDirectory(t);
  const folder = join(directory, 'native');
  mkdirSync(folder);
  writeFileSync(join(folder, 'better_sqlite3.node.1234.partial'), 'ad');
  writeFileSync(join(folder, 'better_sqlite3.node'), '');
  const path = extractAddon(Buffer.from('addon'), directory);
  assert.equal(readFileSync(path, 'utf8'), 'addon');
  assert.deepEqual(readdirSync(folder), ['better_sqlite3.node']);
});

test('an addon that cannot be unpacked leaves no part of it, and the error says what is needed', (t) => {
  const directory = temporaryDirectory(t);
  const folder = join(directory, 'native');
  mkdirSync(join(folder, 'better_sqlite3.node', 'occupied'), { recursive: true });
  assert.throws(
    () => extractAddon(Buffer.from('addon'), directory),
    /^Error: parley could not unpack its database driver: .* cannot be written: .*\. Free at least 1 MiB of disk space there/,
  );
  assert.deepEqual(readdirSync(folder), ['better_sqlite3.node']);
});

suite('an addon that cannot be loaded', () => {
  const failWith = (reason: string) => (): void =>
    loadAddon('/data/native/better_sqlite3.node', () => {
      throw new Error(`/data/native/better_sqlite3.node: ${reason}`);
    });

  test('because of the option noexec: the error names the option and what to do', () => {
    const messages = [
      'failed to map segment from shared object',
      'failed to map segment from shared object: Operation not permitted',
      'Error relocating: Permission denied',
    ];
    for (const message of messages)
      assert.throws(failWith(message), /file system of \/data .* noexec\. Mount it without/);
  });

  test('for another reason: the error names it and does not blame the file system', () => {
    assert.throws(failWith('invalid ELF header'), (error: Error) => {
      assert.match(error.message, /\(invalid ELF header\)\. This executable may be made for another operating system/);
      assert.doesNotMatch(error.message, /noexec/);
      return true;
    });
  });

  test('a file that is not a program, which the real loader refuses, gets the same message', (t) => {
    const path = extractAddon(Buffer.from('no program'), temporaryDirectory(t));
    assert.throws(() => loadAddon(path), /^Error: parley could not load its database driver .*better_sqlite3\.node/);
  });
});
