import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../base/files.ts';

/** The longest path that a socket may have: macOS allows 104 bytes with the NUL at its end, Linux 108. */
const longestPath = 103;

const fits = (path: string): boolean => Buffer.byteLength(path) <= longestPath;
const socketIn = (directory: string): string => join(directory, 'parley.sock');
/** Names the socket when its path would be too long. */
const pointerIn = (directory: string): string => join(directory, 'parley.sock.path');

/** Windows has no such sockets in its file system; Node lets only their owner use pipes. */
const pipeOf = (directory: string): string =>
  String.raw`\\.\pipe\parley-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;

export type ControlAddress = { path: string; remove(): void };

/**
 * A place for the control socket of a data directory that this process holds: in it or, if the path would be too long, in a private
 * directory of its own that a file in the data directory names. What a dead process left there is removed.
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

/** Where a process that holds the directory would listen; undefined when none does. */
export function findControlAddress(directory: string): string | undefined {
  if (process.platform === 'win32') return pipeOf(directory);
  const path = socketIn(directory);
  if (fits(path)) return existsSync(path) ? path : undefined;
  const pointer = pointerIn(directory);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
}
