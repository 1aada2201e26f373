import type { Queryable } from '../transaction.ts';
import type { PostgresSettings } from './address.ts';
import { createPostgresConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { createStoreMeters, type SharedMeters, sharedMeters } from './meters.ts';
import { createPool } from './pool.ts';
import { createPostgresStorage } from './storage.ts';

/** Passed to another thread of the process, which needs it to open the database that openPostgres() has open. */
export type SharedPostgres = {
  dialect: 'postgres';
  settings: PostgresSettings;
  epoch: number | undefined;
  meters: SharedMeters;
};

/** Connections of the background thread: one reads while another writes. */
export const backgroundConnections = 2;

export function openPostgresInBackground({ settings, epoch, meters }: SharedPostgres): {
  db: Queryable;
  close(): Promise<void>;
} {
  const pool = createPool(settings, backgroundConnections);
  const told = sharedMeters(meters);
  // The pool tells of a change before it counts it.
  const tell = (): void =>
    queueMicrotask(() => told.connections({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount }));
  for (const change of ['connect', 'acquire', 'release', 'remove'] as const) pool.on(change, tell);
  const connection = createPostgresConnection({
    pool,
    storage: createPostgresStorage(),
    meters: { ...createStoreMeters(() => ({ used: 0, idle: 0 })), repeated: told.repeated },
    settings,
    probes: false,
    epoch: () => epoch,
  });
  return { db: databaseOver(connection), close: () => pool.end() };
}
