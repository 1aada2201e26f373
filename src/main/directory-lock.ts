import { DatabaseInUse, lockDatabase } from '../db/sqlite/file-lock.ts';
import type { DataDirectory } from './data-directory.ts';

/** Keeps every other process from opening the database of a data directory. @throws an Error that names the one that has it */
export function lockDirectory(directory: DataDirectory): { release(): void } {
  try {
    return lockDatabase(directory.databaseFile);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    const message = `${directory.path} is in use by ${directory.holder()}; one process at a time holds it: stop it first`;
    throw new Error(message, { cause: error });
  }
}
