import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makePrivateDirectory, writePrivateFile } from '../base/files.ts';

const databaseName = 'parley.db';

/** The directory with an installation's database and secrets. Its mode is 0700, that of its files 0600. */
export type DataDirectory = {
  path: string;
  databaseFile: string;
  secretsFile: string;
  /** The directory of a restore that has to be finished. */
  restored: string;
  /** Records this process's id in the directory. */
  markHeld(): void;
  /** The process recorded last, for the message when the database is locked. */
  holder(): string;
  /** Removes what this process made: the record of its id, or the whole directory if it is temporary. */
  release(): void;
};

/** Contains a restored backup that has to be moved into place (restore-swap.ts). */
const restoredName = 'restored';

export const databaseFileIn = (path: string): string => join(resolve(path), databaseName);

/** Whether a directory contains an installation's database. */
export const holdsData = (path: string): boolean =>
  existsSync(join(path, databaseName)) || existsSync(join(path, restoredName));

/** Opens the directory, or creates it. Without a path, creates one in the system's temporary directory, which `release` removes. */
export function openDataDirectory(path?: string, secretsFile?: string | null): DataDirectory {
  const ephemeral = path === undefined;
  const directory = ephemeral ? mkdtempSync(join(tmpdir(), 'parley-')) : resolve(path);
  makePrivateDirectory(directory);
  chmodSync(directory, 0o700);
  const databaseFile = databaseFileIn(directory);
  const holderFile = join(directory, 'parley.pid');
  let isHeld = false;
  return {
    path: directory,
    databaseFile,
    secretsFile: secretsFile ?? join(directory, 'secrets.json'),
    restored: join(directory, restoredName),
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

/** The directory and its files that only the owner may read. */
export const privateFilesOf = (directory: string): string[] => [
  directory,
  ...globSync(join(directory, '{parley.db,secrets.json}*')),
];
