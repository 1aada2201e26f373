import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { createConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import type { Tables } from './schema.ts';
import { setUp } from './settings.ts';
import { createStorageState } from './storage.ts';
import { isInTransaction, type Queryable, runsOn } from './transaction.ts';
import { aside, createTurn, type TurnWords } from './turn.ts';

/** How another thread of the process opens what openDatabase() has open. */
export type Shared = { file: string; nativeBinding: string | undefined; durable: boolean; turn: TurnWords };

/**
 * A second connection, for the thread beside the one that answers requests. Its commits never wait for the disk: a power cut may take
 * them back, unless `synced` (transaction.ts) or a later commit of the main connection has brought them there. So it is for what is
 * repeated from the first step on until a transaction of the main connection says that all is done.
 */
export function openBeside({ file, nativeBinding, durable, turn }: Shared): { db: Queryable; close(): void } {
  const database = new Sqlite(file, nativeBinding === undefined ? {} : { nativeBinding });
  database.pragma('busy_timeout = 1000');
  setUp(database, durable ? 'NORMAL' : 'OFF');
  // Between transactions, not at the end of one, while others wait for the turn.
  database.pragma('wal_autocheckpoint = 0');
  const connection = createConnection(database, {
    storage: createStorageState(),
    durable,
    turn: createTurn(turn, aside),
  });
  const db: Queryable = new Kysely<Tables>({ dialect: sqliteDialect(connection, () => isInTransaction(db)) });
  runsOn(db, connection);
  return { db, close: () => void database.close() };
}
