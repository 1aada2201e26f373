import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from './errors.ts';

/**
 * Writes a file that only its owner may read. Atomic: readers see the old file or the whole new one. Survives a power cut unless
 * `durable` is false, which suits files that mean nothing after the process ends, such as the ready file. By hand, because no
 * dependency has it and packages such as write-file-atomic do not sync the directory.
 * @throws an Error that names the file
 */
export function writePrivateFile(path: string, content: string | Uint8Array, { durable = true } = {}): void {
  const partial = `${path}.${process.pid}.partial`;
  const flush = durable ? fsyncSync : () => undefined;
  try {
    rmSync(partial, { force: true }); // An earlier process with the same id may have been killed and left the file.
    // Not `writeSync`: on a nearly full disk it may write only a part and report that merely by its return value.
    createPrivateFile(partial, (file) => {
      writeFileSync(file, content);
      flush(file);
    });
    renameSync(partial, path);
    withFile(dirname(path), 'r', flush);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Creates a file that only its owner may read, empty unless `fill` writes to it. Never follows a link that somebody has put at the path.
 * @throws the file system's error: EEXIST when there is a file or link at the path
 * @throws Error when root may not give the file to the directory's owner; the file is then deleted
 */
export function createPrivateFile(path: string, fill?: (file: number) => void): void {
  withFile(path, 'wx', (file) => {
    try {
      giveToOwnerOf(dirname(path), file);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
    fill?.(file);
  });
}

/** Like `createPrivateFile`, but leaves an existing file unchanged instead of throwing. */
export function ensurePrivateFile(path: string): void {
  try {
    createPrivateFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Copies a file to a new one that only its owner may read. `copyFileSync` alone would keep the mode, and root would own root's copies. */
export function copyPrivateFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  withFile(to, constants.O_RDONLY | noFollow, (file) => {
    fchmodSync(file, 0o600);
    giveToOwnerOf(dirname(to), file);
  });
}

/** Like `copyPrivateFile`, but durable and off the main thread, for files that may be large. A copy that fails leaves no file. */
export async function copyLargeFile(from: string, to: string): Promise<void> {
  const partial = `${to}.${process.pid}.partial`;
  try {
    await rm(partial, { force: true });
    await copyFile(from, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    withFile(partial, constants.O_RDONLY | noFollow, (file) => {
      fchmodSync(file, 0o600);
      giveToOwnerOf(dirname(to), file);
    });
    const handle = await open(partial, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Waits until a file's content, or a directory's list of files, is on disk. */
export const flushToDisk = (path: string): void => withFile(path, 'r', fsyncSync);

function withFile(path: string, flags: string | number, act: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    act(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the first directory that it created. By hand, because `mkdir` with `recursive` computes for ever in file systems that answer
 * ENOENT to it, such as /proc and /sys.
 */
function createDirectories(path: string): string | undefined {
  const parent = dirname(path);
  const first = existsSync(parent) ? undefined : createDirectories(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    throw error;
  }
  return first ?? path;
}

/** Creates a directory, and its parents, that only the owner may enter. */
export function makePrivateDirectory(path: string): void {
  const first = createDirectories(resolve(path));
  if (first === undefined || !isRoot()) return;
  const existing = dirname(first);
  for (let made = resolve(path); made !== existing; made = dirname(made)) {
    withFile(made, constants.O_RDONLY | noFollow, (file) => giveToOwnerOf(existing, file));
  }
}

/** Windows does not have this flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;

const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Gives what root has created to the owner of the directory that it is in. Otherwise one command run as root would leave files that the
 * service's user cannot read, and the service would not start again.
 * @param file a descriptor, since a path may lead elsewhere by now
 */
function giveToOwnerOf(directory: string, file: number): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(directory);
  if (uid === fstatSync(file).uid) return; // Some network file systems give every file the same owner.
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    throw new Error(`root may not give files to the owner of ${directory} (user ${uid}); run parley as that user`, {
      cause: error,
    });
  }
}
