import { createHash } from 'node:crypto';
import { type Migration, migrations } from '../../src/db/sqlite/migrations.generated.ts';

function madeUp(id: number, name: string, sql: string): Migration {
  return { id, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

const next = migrations.length + 1;

/** Adds a column, and rebuilds a table that rows of another table refer to. */
const upgrades = [
  madeUp(next, 'colours', "ALTER TABLE organizations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';"),
  madeUp(
    next + 1,
    'rebuilt_endpoints',
    `CREATE TABLE new_webhook_endpoints AS SELECT * FROM webhook_endpoints WHERE false;
     ALTER TABLE new_webhook_endpoints ADD COLUMN note TEXT;
     CREATE UNIQUE INDEX new_webhook_endpoints_id ON new_webhook_endpoints (id);
     INSERT INTO new_webhook_endpoints SELECT *, 'rebuilt' FROM webhook_endpoints;
     DROP TABLE webhook_endpoints;
     ALTER TABLE new_webhook_endpoints RENAME TO webhook_endpoints;`,
  ),
];

/** The shipped migrations and two that a later version could ship. */
export const nextMigrations: readonly Migration[] = [...migrations, ...upgrades];

/** Leaves rows that refer to missing rows. */
export const brokenMigrations: readonly Migration[] = [
  ...migrations,
  madeUp(next, 'lost_endpoints', 'DELETE FROM webhook_endpoints;'),
];
