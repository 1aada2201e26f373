import assert from 'node:assert/strict';
import { lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createPrivateFile, makePrivateDirectory, writePrivateFile } from '../../src/base/files.ts';
import { directoryOfService, foreign, isRoot } from './root-support.ts';

suite('root in a data directory of another user', { skip: !isRoot && 'needs root', concurrency: 2 }, () => {
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
