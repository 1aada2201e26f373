import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileSystemFinding, untrustedFileSystem } from '../../../src/main/file-system.ts';

test('file systems that several machines mount are named, also where the kernel gives a negative number', () => {
  assert.equal(untrustedFileSystem(0x69_69), 'NFS');
  assert.equal(untrustedFileSystem(0xff_53_4d_42), 'CIFS');
  assert.equal(untrustedFileSystem(0xff_53_4d_42 | 0), 'CIFS');
  assert.equal(untrustedFileSystem(0x65_73_55_46), 'FUSE');
  for (const local of [0xef_53, 0x58_46_53_42, 0x91_23_68_3e, 0x01_02_19_94, 0x79_4c_76_30, 0])
    assert.equal(untrustedFileSystem(local), undefined, local.toString(16));
});

test('data on a network file system is a warning that says what to do, on a local one it is none', () => {
  const { status, message } = fileSystemFinding('/srv/parley', 0x69_69);
  assert.equal(status, 'warn');
  assert.match(message, /^\/srv\/parley lies on NFS, .* move it to a local file system or a block device$/);
  assert.equal(fileSystemFinding(tmpdir(), 0xef_53).status, 'ok');
  assert.equal(fileSystemFinding(tmpdir()).check, 'volume');
});
