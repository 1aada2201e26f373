import Sqlite from 'better-sqlite3';
import { createConnection } from './connection.ts';
import { setUp } from './settings.ts';
import { createStorageState } from './storage.ts';
import { databaseOn, type Queryable } from './transaction.ts';
import { aside, createTurn, type TurnWords } from './turn.ts';

/** How another thread of the process opens what openDatabase() has open. */
export type Shared = { file: string; binding: { nativeBinding?: string }; durable: boolean; turn: TurnWords };

/**
 * A second connection, for the thread beside the one that answers requests. Its commits never wait for the disk: a power cut may take
 * them back, unless writeBack() (transaction.ts) or a later commit of the main connection has brought them there. So it is for what is
 * repeated from the first step on until a transaction of the main connection says that all is done.
 */
export function openBeside({ file, binding, durable, turn }: Shared): { db: Queryable; close(): void } {
  const database = new Sqlite(file, binding);
  database.pragma('busy_timeout = 1000');
  setUp(database, durable ? 'NORMAL' : 'OFF');
  // Between transactions, not at the end of one, while others wait for the turn.
  database.pragma('wal_autocheckpoint = 0');
  const connection = createConnection(database, {
    storage: createStorageState(),
    durable,
    turn: createTurn(turn, aside),
  });
  return { db: databaseOn(connection), close: () => void database.close() };
}
