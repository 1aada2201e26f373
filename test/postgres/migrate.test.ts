import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { migrateStore, prepare, type PrepareOptions } from '../../src/db/postgres/prepare.ts';
import { migrations } from '../../src/db/postgres/migrations.generated.ts';
import { isOlderVersion } from '../../src/base/version.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { postgresSettings } from '../support/store.ts';

const programs = postgresPrograms();
let server: PostgresServer | undefined;
before(() => void (server = programs === undefined ? undefined : startPostgres(programs)));
after(() => server?.stop());

/** A migration that a later version could ship, beside which only that one may work. */
const next = {
  id: migrations.length + 1,
  name: 'colours',
  sha256: 'made up',
  sql: `-- beside: 0.3.0\nALTER TABLE organizations ADD COLUMN colour text NOT NULL DEFAULT 'grey';`,
};
const older = { version: '0.2.0', migrations };
const newer = { version: '0.3.1', migrations: [...migrations, next] };

const optionsFor = (database: string, from: Pick<PrepareOptions, 'version' | 'migrations'>): PrepareOptions => ({
  settings: postgresSettings(server!.url(database)),
  anyServer: false,
  nowMs: 0,
  onProgress: () => undefined,
  ...from,
});

function emptyDatabase(name: string): string {
  server!.run('postgres', `CREATE DATABASE ${name}`);
  return name;
}

const appliedTo = (database: string): string =>
  server!.run(database, `SELECT string_agg(id || ' ' || version, ', ' ORDER BY id) FROM schema_migrations`).trim();

describe('the schema on PostgreSQL', { skip: programs === undefined && 'needs a PostgreSQL server' }, () => {
  test('is made once by nodes that start together, and upgraded once', async () => {
    const database = emptyDatabase('together');
    const all = (how: typeof older) =>
      Promise.all(Array.from({ length: 4 }, () => prepare('auto', optionsFor(database, how))));
    await all(older);
    assert.equal(appliedTo(database), '1 0.2.0');
    assert.deepEqual(
      (await all(newer)).map(({ isDeferred }) => isDeferred),
      [false, false, false, false],
    );
    assert.equal(appliedTo(database), '1 0.2.0, 2 0.3.1');
  });

  test('is left alone by a start that may not change it, which names the command that does', async () => {
    const database = emptyDatabase('never');
    const command = /empty, and parley's tables are to be created\. Run: parley store migrate$/;
    await assert.rejects(prepare('never', optionsFor(database, older)), command);
    assert.equal(await migrateStore({ ...optionsFor(database, older), check: false }), null);
    await prepare('never', optionsFor(database, older));
    await assert.rejects(
      prepare('never', optionsFor(database, newer)),
      /older schema, and migrations are to be applied \(2, colours\)\. Run: parley store migrate$/,
    );
    assert.match((await migrateStore({ ...optionsFor(database, newer), check: true }))!, /\(2, colours\)/);
    assert.equal(appliedTo(database), '1 0.2.0');
  });

  test('of a newer version is refused with the version that it needs, unless it allows this one', async () => {
    const database = emptyDatabase('newer');
    await prepare('auto', optionsFor(database, newer));
    await assert.rejects(
      prepare('auto', optionsFor(database, older)),
      /was upgraded by parley 0\.3\.1 \(migration 2, colours\); it needs parley 0\.3\.0 or later, and this is 0\.2\.0$/,
    );
    assert.deepEqual(await prepare('auto', optionsFor(database, { ...older, version: '0.3.0' })), {
      isDeferred: false,
    });
  });

  test('waits with an upgrade for older nodes that could not go on, until a node takes over', async () => {
    const database = emptyDatabase('older');
    await prepare('auto', optionsFor(database, older));
    const live = (version: string) =>
      server!.run(
        database,
        `DELETE FROM nodes; INSERT INTO nodes VALUES ('a', 'one', '${version}', '[]', '[]', now(), clock_timestamp())`,
      );
    live('0.2.0');
    assert.deepEqual(await prepare('auto', optionsFor(database, newer)), { isDeferred: true });
    assert.match(
      (await migrateStore({ ...optionsFor(database, newer), check: false }))!,
      /stop these nodes first, which could not go on: one \(parley 0\.2\.0\)$/,
    );
    assert.equal(appliedTo(database), '1 0.2.0');
    assert.deepEqual(await prepare('takeover', optionsFor(database, newer)), { isDeferred: false });
    assert.equal(appliedTo(database), '1 0.2.0, 2 0.3.1');
  });

  test('of another program is left alone, also where it has a table of the same name', async () => {
    const database = emptyDatabase('rails');
    server!.run(database, 'CREATE TABLE schema_migrations (version text)');
    await assert.rejects(prepare('auto', optionsFor(database, older)), /tables of another program \(schema_migrations/);
  });
});

test('versions compare by number', () => {
  assert.ok(isOlderVersion('0.9.0', '0.10.0'));
  assert.ok(!isOlderVersion('0.10.0+g1234567', '0.10.0'));
  assert.ok(!isOlderVersion('1.0.0', '0.10.0'));
});
