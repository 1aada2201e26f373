import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { directoryOfService, foreign, isRoot } from '../cli/root-support.ts';
import { run, scratch, serve } from '../cli/support.ts';

test(
  'root leaves no file of its own in a data directory of another user',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const data = directoryOfService(t);
    const parley = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await run([...args, '--data', data]);
      assert.equal(code, 0, err);
      assert.deepEqual(foreign(data), [], args.join(' '));
      return out;
    };
    await parley('restore', await backupOf(t));
    const { code } = await run(['doctor', '--data', data]);
    assert.equal(code, 0);
    await parley('keys', 'create', '--name', 'Deploy', '--role', 'admin');
    await parley('secrets', 'rotate');
    await parley('backup', join(data, 'copy.db'));
    assert.ok(readdirSync(data).includes('copy.db.secrets.json'));
  },
);

/** A backup of a new installation, which belongs to root. */
async function backupOf(t: TestContext): Promise<string> {
  const other = scratch(t);
  const file = join(other, 'backup.db');
  await (await serve(t, ['--data', join(other, 'data')])).stop();
  const { code, err } = await run(['backup', file, '--data', join(other, 'data')]);
  assert.equal(code, 0, err);
  return file;
}
