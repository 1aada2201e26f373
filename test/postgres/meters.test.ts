import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openPostgresInBackground, type SharedPostgres } from '../../src/db/postgres/background-connection.ts';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { openPostgresFor } from '../support/store.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer;
before(() => void (programs && (postgres = startPostgres(programs))));
after(() => postgres?.stop());

function connectionsOf({ times }: OpenDatabase): number {
  const { samples } = times.metrics().find(({ name }) => name === 'parley_store_connections')!;
  return samples.reduce((sum, { value }) => sum + value, 0);
}

test('the connections of the background thread count as those of the node', { skip }, () =>
  openPostgresFor(postgres, async (database) => {
    await sql`SELECT 1`.execute(database.db);
    const alone = connectionsOf(database);
    const background = openPostgresInBackground((await database.background.share()) as SharedPostgres);
    await sql`SELECT 1`.execute(background.db);
    assert.equal(connectionsOf(database), alone + 1);
    await Promise.all([1, 2].map(() => sql`SELECT pg_sleep(0.05)`.execute(background.db)));
    assert.equal(connectionsOf(database), alone + 2);
    await background.close();
  }),
);
