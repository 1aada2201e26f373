import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZip } from '../../../src/extraction/office/zip.ts';
import { type Part, zipOf } from '../../support/documents/zip.ts';

const mebibyte = 2 ** 20;
const part = (over: Partial<Part> = {}): Part => ({ name: 'a.txt', bytes: 'Hello '.repeat(100), ...over });
const readFirst = (lies: NonNullable<Part['lies']>): Buffer | undefined =>
  openZip(zipOf([part({ lies })]), mebibyte).read('a.txt');

test('parts are read by name, compressed or stored; a missing part is undefined', () => {
  const zip = openZip(zipOf([part(), part({ name: 'dir/b', bytes: 'B', stored: true })]), mebibyte);
  assert.deepEqual(zip.names, ['a.txt', 'dir/b']);
  assert.equal(zip.read('a.txt')?.toString(), 'Hello '.repeat(100));
  assert.equal(zip.read('dir/b')?.toString(), 'B');
  assert.equal(zip.read('c'), undefined);
});

test('the limit holds for all parts together, whatever sizes the headers declare', () => {
  const bomb = zipOf([part({ bytes: Buffer.alloc(64 * mebibyte), lies: { size: 10 } })]);
  assert.ok(bomb.length < mebibyte);
  assert.throws(() => openZip(bomb, mebibyte).read('a.txt'), /too large when unpacked/);
  const parts = ['a', 'b', 'c'].map((name) => part({ name, bytes: Buffer.alloc(400_000) }));
  const zip = openZip(zipOf(parts), mebibyte);
  assert.equal(zip.read('a')?.length, 400_000);
  assert.equal(zip.read('b')?.length, 400_000);
  assert.throws(() => zip.read('c'), /too large when unpacked/);
  assert.equal(openZip(zipOf([part({ bytes: Buffer.alloc(1000) })]), 1000).read('a.txt')?.length, 1000);
});

test('false headers are detected', () => {
  assert.throws(() => readFirst({ crc: 1 }), /checksum of its part a\.txt is wrong/);
  assert.throws(() => readFirst({ packed: 5 }), /cannot be unpacked/);
  assert.throws(() => readFirst({ packed: 1_000_000 }), /is incomplete/);
  assert.throws(() => readFirst({ packed: 0xffffffff }), /is incomplete/);
  assert.throws(() => readFirst({ offset: 0xfffffff0 }), /is missing/);
  assert.throws(() => readFirst({ offset: 7 }), /is missing/);
  assert.throws(() => readFirst({ method: 12 }), /unsupported compression method/);
  assert.throws(() => readFirst({ flags: 1 }), /password/);
  assert.equal(readFirst({ size: 3 })?.length, 600, 'the declared size is ignored');
});

test('a part can have a limit of its own, and comes in pieces of 64 KiB even when it is stored', async () => {
  const bytes = Buffer.alloc(200_000, 'x');
  const zip = openZip(zipOf([part({ bytes }), part({ name: 'stored', bytes, stored: true })]), mebibyte);
  for (const name of zip.names) {
    assert.throws(() => zip.read(name, 199_999), /too large when unpacked/);
    assert.equal(zip.read(name, 200_000)?.length, 200_000);
    const pieces = await Array.fromAsync(zip.pieces(name));
    assert.ok(pieces.every(({ length }) => length <= 65_536));
    assert.ok(Buffer.concat(pieces).equals(bytes));
  }
});

test('a file without its directory is reported as cut off', () => {
  const whole = zipOf([part(), part({ name: 'b' })]);
  for (let length = whole.length - 1; length >= 0; length -= 7) {
    assert.throws(() => openZip(whole.subarray(0, length), mebibyte), /damaged or was cut off/);
  }
});
