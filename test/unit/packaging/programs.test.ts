import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripElf } from '../../../.build/elf.ts';
import { signAdHoc } from '../../../.build/mach-o.ts';
import { versionOf } from '../../../.build/version.ts';

test('the version of a build names its commit, unless it is a tag', () => {
  for (const [described, version] of [
    ['v1.2.0', '1.2.0'],
    ['v1.2.0-dirty', '1.2.0+dirty'],
    ['v1.1.0-12-g8d43a1f', '1.2.0+g8d43a1f'],
    ['v1.1.0-12-g8d43a1f-dirty', '1.2.0+g8d43a1f.dirty'],
    ['8d43a1f', '1.2.0+g8d43a1f'],
    ['8d43a1f-dirty', '1.2.0+g8d43a1f.dirty'],
  ] as const)
    assert.equal(versionOf('1.2.0', described), version, described);
});

const onLinux = { skip: process.platform === 'linux' ? false : 'only Linux has ELF programs' };

test('a program without its symbols is smaller and works', onLinux, (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-strip-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const program = readFileSync(process.execPath);
  const stripped = stripElf(program);
  assert.ok(stripped.length <= program.length);
  assert.deepEqual(stripElf(stripped), stripped);
  const file = join(directory, 'node');
  writeFileSync(file, stripped);
  chmodSync(file, 0o755);
  const { stdout } = spawnSync(file, ['-p', '[6 * 7, process.version].join()'], { encoding: 'utf8' });
  assert.equal(stdout, `42,${process.version}\n`);
  assert.throws(() => stripElf(Buffer.alloc(100)), /not a 64-bit ELF/);
});

/** A Mach-O file with the segments __TEXT and __LINKEDIT, and `bytes` of content. */
function machO(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 7);
  file.fill(0, 0, 1024);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(144, 20);
  for (const [index, [name, offset, size]] of [
    ['__TEXT', 0, 8192],
    ['__LINKEDIT', 8192, bytes - 8192],
  ].entries()) {
    const at = 32 + index * 72;
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(String(name), at + 8);
    file.writeBigUInt64LE(BigInt(offset!), at + 40);
    file.writeBigUInt64LE(BigInt(size!), at + 48);
  }
  return file;
}

test('an ad hoc signature hashes every page of the program as it is', () => {
  const signed = signAdHoc(machO(20_001), 'parley');
  assert.deepEqual([signed.readUInt32LE(16), signed.readUInt32LE(20)], [3, 160]);
  const command = [0, 4, 8, 12].map((offset) => signed.readUInt32LE(176 + offset));
  const [type, size, codeBytes, signatureBytes] = command;
  assert.deepEqual([type, size, codeBytes! + signatureBytes!], [0x1d, 16, signed.length]);
  assert.equal(codeBytes! % 16, 0);
  const linkEdit = 32 + 72;
  assert.equal(signed.readBigUInt64LE(linkEdit + 40) + signed.readBigUInt64LE(linkEdit + 48), BigInt(signed.length));

  const blob = signed.subarray(codeBytes);
  assert.equal(blob.readUInt32BE(0), 0xfade0cc0);
  assert.equal(blob.readUInt32BE(4), signatureBytes);
  const directory = blob.subarray(blob.readUInt32BE(16));
  assert.equal(directory.readUInt32BE(0), 0xfade0c02);
  assert.equal(directory.readUInt32BE(4), directory.length);
  const identifierAt = directory.readUInt32BE(20);
  assert.equal(directory.toString('latin1', identifierAt, identifierAt + 7), 'parley\0');
  const [hashesAt, pages] = [directory.readUInt32BE(16), directory.readUInt32BE(28)];
  assert.deepEqual([pages, directory.readUInt32BE(32)], [5, codeBytes]);
  for (let page = 0; page < pages; page += 1) {
    const content = signed.subarray(page * 4096, Math.min((page + 1) * 4096, codeBytes!));
    const digest = createHash('sha256').update(content).digest();
    assert.deepEqual(directory.subarray(hashesAt + page * 32, hashesAt + (page + 1) * 32), digest, `page ${page}`);
  }
  assert.throws(() => signAdHoc(signed, 'parley'), /no place for a signature/);
});
