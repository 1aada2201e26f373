import { monotonicMs } from '../../base/clock.ts';
import { type Storage, StorageRefusal } from '../storage.ts';
import { refusalFrom } from './errors.ts';

/** Whether the database can be reached and takes writes, as far as the last statements showed. */
export type PostgresStorage = Required<Pick<Storage, 'refusal' | 'isStale'>> & {
  /** Records the error if the database is its reason. Returns the error to throw. */
  failed(error: unknown): unknown;
  succeeded(): void;
};

/** For how long an answer of the database shows that it can be reached. */
const freshMs = 500;

export function createPostgresStorage(): PostgresStorage {
  let refusal: string | null = null;
  let succeededMs = -Infinity;
  return {
    isStale: () => monotonicMs() - succeededMs > freshMs,
    refusal: () => refusal,
    failed(thrown) {
      const error = refusalFrom(thrown);
      // One statement that takes long says nothing about others.
      if (error instanceof StorageRefusal && !/^5(?:7014|5P03)$/.test(error.code)) refusal = error.message;
      return error;
    },
    succeeded() {
      refusal = null;
      succeededMs = monotonicMs();
    },
  };
}
