import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const reporter = resolve(import.meta.dirname, 'support/reporter.ts');

const faulty = `
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
suite('a suite', () => {
  test('passes', () => undefined);
  test('compares', () => assert.deepEqual({ a: 1 }, { a: 2 }));
  test('hangs', () => new Promise(() => {}));
});
`;

test('The reporter prints each failure with its name, file, line and diff, names the test that hangs, and closes with counts.', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-reporter-'));
  t.after(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'faulty.test.mjs'), faulty);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const lists = { FAILED_TEST_FILES: 'failed.txt', FAILED_TEST_SUMMARY: 'summary.txt' };
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', '--test-timeout=500', `--test-reporter=${reporter}`, 'faulty.test.mjs'],
    { cwd: directory, env: { ...inherited, NODE_V8_COVERAGE: '', ...lists }, encoding: 'utf8' },
  );
  assert.equal(status, 1);
  assert.match(stdout, /^✖ a suite › compares \(faulty\.test\.mjs:6\) after/m);
  assert.match(stdout, /^ +\+ +a: 1\n +- +a: 2\n/m);
  assert.match(stdout, /^✖ a suite › hangs \(faulty\.test\.mjs:7\) after .*\n +test timed out after 500ms$/m);
  assert.doesNotMatch(stdout, /passes/);
  assert.equal(readFileSync(join(directory, 'failed.txt'), 'utf8'), 'faulty.test.mjs\n');
  assert.match(
    readFileSync(join(directory, 'summary.txt'), 'utf8'),
    /^✖ a suite › compares .*: AssertionError.*\n✖ a suite › hangs .*: test timed out after 500ms\n$/,
  );
  assert.match(stdout, /ℹ tests 3\nℹ suites 1\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\n/);
});

test('a test file whose event loop stands still is killed, although its time-out cannot fire', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-hung-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const hung = "import { test } from 'node:test'; test('loops', async () => { for (;;) await null; });";
  writeFileSync(join(directory, 'hung.test.mjs'), hung);
  const { NODE_TEST_CONTEXT: _, FAILED_TEST_SUMMARY: __, FAILED_TEST_FILES: ___, ...inherited } = process.env;
  const preload = resolve(import.meta.dirname, 'support/preload.js');
  const { status, stdout } = spawnSync(
    process.execPath,
    [`--import=${preload}`, '--test', '--test-timeout=500', `--test-reporter=${reporter}`, 'hung.test.mjs'],
    { cwd: directory, env: { ...inherited, TEST_MAX_SILENT_SECONDS: '2' }, encoding: 'utf8', timeout: 60_000 },
  );
  assert.equal(status, 1);
  assert.match(stdout, /event loop of .*hung\.test\.mjs has not turned for 2 s/);
  assert.match(stdout, /✖ .*hung\.test\.mjs/);
});
