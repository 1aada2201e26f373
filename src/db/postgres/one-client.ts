import type pg from 'pg';
import type { Queryable } from '../transaction.ts';
import type { PostgresSettings } from './address.ts';
import { createPostgresConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { createStoreMeters } from './meters.ts';
import { createPostgresStorage } from './storage.ts';

/** A copy has statements that take long, such as the making of an index. */
const statementTimeoutMs = 86_400_000;

/** A database whose queries all run on one client, which the caller opens and closes, and may use in between. */
export function databaseOnClient(client: pg.Client, settings: PostgresSettings): Queryable {
  const pooled = Object.assign(client, { release: () => undefined });
  return databaseOver(
    createPostgresConnection({
      pool: { connect: () => Promise.resolve(pooled) },
      storage: createPostgresStorage(),
      meters: createStoreMeters(() => ({ used: 1, idle: 0 })),
      settings: { ...settings, statementTimeoutMs },
      probes: false,
      epoch: () => undefined,
    }),
  );
}
