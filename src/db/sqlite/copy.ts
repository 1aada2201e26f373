import Sqlite from 'better-sqlite3';
import type { SharedDatabase } from './background-connection.ts';

/** Pages that are copied in one step, which takes about a millisecond; the thread's other work goes on between two steps. */
const pagesPerStep = 500;

/**
 * Copies everything that is committed to a file, and waits until it is on disk. The copy reads from a connection of its own, inside one
 * read transaction, so writes by the other connections neither wait nor show in it. Until it is done, SQLite keeps in the write-ahead log
 * what they write.
 */
export async function copyDatabase(
  { file, binding }: Pick<SharedDatabase, 'file' | 'binding'>,
  target: string,
): Promise<void> {
  const source = new Sqlite(file, { ...binding, readonly: true });
  try {
    source.pragma('busy_timeout = 1000');
    source.exec('BEGIN');
    source.prepare('SELECT 1 FROM sqlite_schema').get(); // A transaction takes its snapshot at its first read.
    await source.backup(target, { progress: () => pagesPerStep });
  } finally {
    source.close();
  }
}
