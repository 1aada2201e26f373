import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RecordingReport } from '../../src/talking/recording/recordings.ts';

test('a disk that fills up breaks off a recording, once, and leaves a file that says how long it is', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-full-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'call.wav');
  const program = join(import.meta.dirname, '../support/recording-on-full-disk.ts');
  const child = fork(program, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [reports] = (await once(child, 'message')) as [RecordingReport[]];
  assert.deepEqual(
    reports.map(({ type }) => type),
    ['begun', 'broken-off'],
  );
  const sound = readFileSync(file);
  assert.ok(sound.length > 32_000, 'what was written before it filled up stays');
  assert.equal(sound.readUInt32LE(54), 32_000, 'the last second that was written whole');
  assert.deepEqual([...sound.subarray(58, 60)], [3, 0xff]);
});
