import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makePrivateDirectory, writePrivateFile } from '../base/files.ts';

const databaseName = 'parley.db';

/** Where an installation lives: database, secrets, and who holds it now. 0700, its files 0600 (contract, section 3). */
export type DataDirectory = {
  path: string;
  databaseFile: string;
  secretsFile: string;
  /** Records this process's id in the directory. */
  markHeld(): void;
  /** The process recorded last, for the message when the database is locked. */
  holder(): string;
  /** Removes what this process made: the record of its id, or the whole directory if it is temporary. */
  release(): void;
};

/** Whether an installation lives in a directory. */
export const holdsData = (path: string): boolean => existsSync(join(path, databaseName));

/** Opens or makes the directory; without a path, one in the system's temporary directory that `release` removes. */
export function openDataDirectory(path?: string): DataDirectory {
  const ephemeral = path === undefined;
  const directory = ephemeral ? mkdtempSync(join(tmpdir(), 'parley-')) : resolve(path);
  makePrivateDirectory(directory);
  chmodSync(directory, 0o700);
  const databaseFile = join(directory, databaseName);
  const holderFile = join(directory, 'parley.pid');
  let isHeld = false;
  return {
    path: directory,
    databaseFile,
    secretsFile: join(directory, 'secrets.json'),
    markHeld() {
      writePrivateFile(holderFile, `${process.pid}\n`, { durable: false });
      isHeld = true;
    },
    holder: () => (existsSync(holderFile) ? `process ${readFileSync(holderFile, 'utf8').trim()}` : 'another process'),
    release() {
      if (ephemeral) rmSync(directory, { recursive: true, force: true });
      else if (isHeld) rmSync(holderFile, { force: true });
    },
  };
}
