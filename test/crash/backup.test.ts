import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../support/server.ts';
import { createKillableServer } from './server.ts';
import { until, within } from './waiting.ts';

/** Long enough for a backup on a very busy machine. */
const limitMs = 60_000;

test('SIGKILL: a backup by schedule that was killed is made at the next start, and leaves nothing behind', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const settings = { 'backup.schedule': '0 0 1 1 *' };
  const server = createKillableServer(directory, settings);
  t.after(async () => {
    await server.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  // On the test clock of this server the backup of New Year waits; on the machine's clock it is long overdue.
  await (await startTestServer({ data: server.data, testClock: '2025-12-31T12:00:00Z', settings })).stop();
  await server.start({ crashAt: 'backup.unnamed:1' });
  assert.equal((await within(limitMs, 'the crash', server.gone())).signal, 'SIGKILL');
  const backups = join(server.data, 'backups');
  const complete = (): string[] => readdirSync(backups).filter((name) => name.endsWith('.db'));
  assert.deepEqual(complete(), []);
  assert.equal(readdirSync(backups).length, 2, 'a copy without its name, and the secrets');
  await server.start();
  // What the killed backup left is deleted last.
  const isDone = (): boolean => complete().length === 1 && readdirSync(backups).length === 2;
  await until(limitMs, 'the backup', () => Promise.resolve(isDone()));
  assert.deepEqual(readdirSync(backups), [complete()[0], `${complete()[0]}.secrets.json`]);
});
