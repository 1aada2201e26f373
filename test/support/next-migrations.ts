import { createHash } from 'node:crypto';
import { type Migration, migrations } from '../../src/db/sqlite/migrations.generated.ts';

function madeUp(id: number, name: string, sql: string): Migration {
  return { id, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

const next = migrations.length + 1;

/** Adds a column, and rebuilds a table that rows of another table refer to, and whose rows are counted. */
const upgrades = [
  madeUp(next, 'colours', "ALTER TABLE organizations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';"),
  madeUp(
    next + 1,
    'rebuilt_deliveries',
    `CREATE TABLE new_webhook_deliveries AS SELECT * FROM webhook_deliveries WHERE false;
     ALTER TABLE new_webhook_deliveries ADD COLUMN note TEXT;
     CREATE UNIQUE INDEX new_webhook_deliveries_id ON new_webhook_deliveries (id);
     INSERT INTO new_webhook_deliveries SELECT *, 'rebuilt' FROM webhook_deliveries;
     DROP TABLE webhook_deliveries;
     ALTER TABLE new_webhook_deliveries RENAME TO webhook_deliveries;`,
  ),
];

/** The shipped migrations and two that a later version could ship. */
export const nextMigrations: readonly Migration[] = [...migrations, ...upgrades];

/** Leaves rows that refer to missing rows. */
export const brokenMigrations: readonly Migration[] = [
  ...migrations,
  madeUp(next, 'lost_deliveries', 'DELETE FROM webhook_deliveries;'),
];
