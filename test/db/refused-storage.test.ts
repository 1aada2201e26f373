import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('a write that changes nothing does not count as accepted by the storage', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-refused-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const program = join(import.meta.dirname, '../support/refused-storage.ts');
  const child = fork(program, [join(directory, 'parley.db')]);
  const [states] = (await once(child, 'message')) as [Record<string, boolean>];
  assert.deepEqual(states, {
    'a change': false,
    'no change': false,
    'no change, alone': false,
    'a look': false,
    'no change, and there is room': true,
  });
});
