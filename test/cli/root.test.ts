import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { createPrivateFile, makePrivateDirectory, writePrivateFile } from '../../src/base/files.ts';
import { run, scratch, serve } from './support.ts';

const isRoot = process.geteuid?.() === 0;
/** The id of user and group `nobody` on most systems. The tests only give files to that user; no program runs as it. */
const serviceUser = 65_534;

/** A data directory that belongs to the service's user, in a directory that this user may enter. */
function directoryOfService(t: TestContext): string {
  const parent = scratch(t);
  chmodSync(parent, 0o755);
  const data = join(parent, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, serviceUser, serviceUser);
  return data;
}

/** The files in a directory that do not belong to the service's user. */
const foreign = (directory: string): string[] =>
  globSync(`${directory}/**`).filter((path) => {
    const { uid, gid } = lstatSync(path);
    return uid !== serviceUser || gid !== serviceUser;
  });

suite('root in a data directory of another user', { skip: !isRoot && 'needs root', concurrency: 2 }, () => {
  test('leaves no file of root behind, whatever the command', async (t) => {
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
  });

  test('creates files and directories for the owner of the directory around them', (t) => {
    const data = directoryOfService(t);
    makePrivateDirectory(join(data, 'a', 'b'));
    writePrivateFile(join(data, 'a', 'b', 'file'), 'text');
    createPrivateFile(join(data, 'empty'));
    assert.deepEqual(foreign(data), []);
  });

  test('follows no symbolic link that the other user has put in the place of a file', (t) => {
    const data = directoryOfService(t);
    const target = join(data, '..', 'target');
    writeFileSync(target, 'of root');
    symlinkSync(target, join(data, 'file'));
    symlinkSync(target, join(data, `file.${process.pid}.partial`));
    writePrivateFile(join(data, 'file'), 'text');
    assert.throws(() => {
      rmSync(join(data, 'file'));
      symlinkSync(target, join(data, 'file'));
      createPrivateFile(join(data, 'file'));
    }, /EEXIST/);
    assert.equal(lstatSync(target).uid, 0);
    assert.equal(lstatSync(target).size, 'of root'.length);
  });
});

/** A backup of a new installation, which belongs to root. */
async function backupOf(t: TestContext): Promise<string> {
  const other = scratch(t);
  const file = join(other, 'backup.db');
  await (await serve(t, ['--data', join(other, 'data')])).stop();
  const { code, err } = await run(['backup', file, '--data', join(other, 'data')]);
  assert.equal(code, 0, err);
  return file;
}
