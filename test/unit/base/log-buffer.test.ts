import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { createLogBuffer } from '../../../src/base/log-buffer.ts';

test('The lines of one tick of the event loop are written together, in order.', async () => {
  const writes: string[] = [];
  const buffer = createLogBuffer((text) => writes.push(text));
  buffer.add('one\n');
  await Promise.resolve();
  buffer.add('two\n');
  assert.deepEqual(writes, []);
  await later();
  assert.deepEqual(writes, ['one\ntwo\n']);
  buffer.add('three\n');
  await later();
  assert.deepEqual(writes, ['one\ntwo\n', 'three\n']);
});

test('Many lines are written before the end of the tick, none of them twice.', async () => {
  const writes: string[] = [];
  const buffer = createLogBuffer((text) => writes.push(text));
  const line = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 100; count += 1) buffer.add(line);
  assert.equal(writes.length, 1);
  await later();
  assert.equal(writes.join(''), line.repeat(100));
});

const program = join(import.meta.dirname, '../../support/log-and-end.ts');

for (const end of ['return', 'exit', 'throw', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) {
  const name = `No line is lost when the process ends by ${end} in the tick that logged it.`;
  test(name, { skip: process.platform === 'win32' && end.startsWith('SIG') }, () => {
    const { stderr, signal, status } = spawnSync(process.execPath, [program, end], { encoding: 'utf8' });
    const lines = [...stderr.matchAll(/"line":(\d+)/g)].map(([, line]) => Number(line));
    assert.deepEqual(
      lines,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    if (end.startsWith('SIG')) assert.equal(signal, end);
    else assert.equal(status, end === 'throw' ? 1 : 0);
  });
}
