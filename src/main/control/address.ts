import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../base/files.ts';

/** A socket's path has at most 104 bytes on macOS and 108 on Linux, including the NUL at its end. */
const maxPathBytes = 103;

const fits = (path: string): boolean => Buffer.byteLength(path) <= maxPathBytes;
const socketIn = (directory: string): string => join(directory, 'parley.sock');
/** This file contains the socket's path if the one in the data directory would be too long. */
const pointerIn = (directory: string): string => join(directory, 'parley.sock.path');

/** Windows has named pipes instead of socket files; Node lets only their owner use them. */
const pipeOf = (directory: string): string =>
  String.raw`\\.\pipe\parley-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;

export type ControlAddress = { path: string; remove(): void };

/**
 * Chooses where the control socket of a data directory goes, and removes what a dead process left there. If the path in the data
 * directory would be too long, the socket goes into a private temporary directory, and a file in the data directory names it.
 * Only for the process that holds the data directory.
 */
export function makeControlAddress(directory: string): ControlAddress {
  if (process.platform === 'win32') return { path: pipeOf(directory), remove: () => undefined };
  const path = socketIn(directory);
  const pointer = pointerIn(directory);
  rmSync(path, { force: true });
  rmSync(pointer, { force: true });
  if (fits(path)) return { path, remove: () => rmSync(path, { force: true }) };
  const short = socketIn(mkdtempSync(join(tmpdir(), 'parley-')));
  writePrivateFile(pointer, `${short}\n`, { durable: false });
  return {
    path: short,
    remove() {
      rmSync(pointer, { force: true });
      rmSync(dirname(short), { recursive: true, force: true });
    },
  };
}

/** Where the process that holds the data directory listens. Undefined if none does; a dead process may have left an address behind. */
export function findControlAddress(directory: string): string | undefined {
  if (process.platform === 'win32') return pipeOf(directory);
  const path = socketIn(directory);
  if (fits(path)) return existsSync(path) ? path : undefined;
  const pointer = pointerIn(directory);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
}
