import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { installation, onCommit, onConnection, type Queryable, transact } from '../../src/db/transaction.ts';
import { nextMacrotask } from '../../src/base/clock.ts';
import { dueTransactional, removeDue } from '../../src/jobs/store.ts';
import { StorageRefusal } from '../../src/db/storage.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import {
  describeTransactions,
  insertOrganization,
  type OpenedStore,
  organizationsIn,
  type TestedStore,
} from '../support/connection-conformance.ts';
import { openPostgresFor, openSqliteFor } from '../support/store.ts';

// Own process: each test waits until nothing else runs.
const programs = postgresPrograms();
let server: PostgresServer | undefined;
before(() => void (server = programs === undefined ? undefined : startPostgres(programs)));
after(() => server?.stop());

const stores = {
  SQLite: { skip: false, open: openSqliteFor },
  PostgreSQL: {
    skip: programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)',
    open: (run: OpenedStore) => openPostgresFor(server!, run),
  },
} satisfies Record<string, TestedStore>;

/** A signal that tests wait for. */
const signal = () => Promise.withResolvers<void>();

for (const [name, store] of Object.entries(stores)) describeTransactions(name, store);

describe('PostgreSQL alone', { skip: stores.PostgreSQL.skip }, () => {
  let connections: () => number;
  beforeEach(() => {
    connections = () =>
      Number(server!.run('postgres', `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'parley'`));
  });
  const cut = (): void =>
    void server!.run(
      'postgres',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley' AND state LIKE 'idle in transaction%'`,
    );

  test('transactions of two organizations run at the same time, one of the installation alone', () =>
    openPostgresFor(server!, async ({ db }) => {
      const [first, second] = [signal(), signal()];
      const order: string[] = [];
      const a = transact(db, 'a', async () => {
        first.resolve();
        await second.promise;
        order.push('a');
      });
      const all = first.promise.then(() =>
        transact(db, installation, () => Promise.resolve(void order.push('installation'))),
      );
      await transact(db, 'b', async () => {
        await first.promise;
        order.push('b');
        second.resolve();
      });
      await Promise.all([a, all]);
      assert.deepEqual(order, ['b', 'a', 'installation']);
    }));

  test('a due job that a transaction has read cannot be moved by others before it is removed', () =>
    openPostgresFor(server!, async ({ db }, name) => {
      await db
        .insertInto('outbox')
        .values({ kind: 'k', key: 'one', scope: 'a', lane: null, exclusive: null, due_at: 1, payload: '{}' })
        .execute();
      const read = signal();
      const moving = read.promise.then(() =>
        transact(db, 'b', (tx) => tx.updateTable('outbox').set({ due_at: 99 }).executeTakeFirstOrThrow()),
      );
      await transact(db, 'a', async (tx) => {
        const { jobs } = await dueTransactional(tx, { scope: 'a', now: 1, limit: 9 });
        read.resolve();
        const waiting = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
        while (server!.run('postgres', waiting).trim() !== '1') await nextMacrotask();
        for (const job of jobs) await removeDue(tx, job);
      });
      assert.equal((await moving).numUpdatedRows, 0n);
    }));

  test('a transaction whose connection breaks runs again, and its hooks run once', () =>
    openPostgresFor(server!, async (database) => {
      let runs = 0;
      const hooks: string[] = [];
      await transact(database.db, 'a', async (tx) => {
        runs += 1;
        onCommit(tx, () => hooks.push(`run ${runs}`));
        await insertOrganization(tx, 'a');
        if (runs === 1) cut();
        await insertOrganization(tx, 'b');
      });
      assert.equal(runs, 2);
      assert.deepEqual(hooks, ['run 2']);
      assert.deepEqual(await organizationsIn(database), ['a', 'b']);
    }));

  test('a limited read that fails leaves its connection usable', () =>
    openPostgresFor(
      server!,
      async ({ db }) => {
        const fail = (on: Queryable) =>
          onConnection(on, async (connection) => void (await connection.readUpTo('SELECT 1 / $1::bigint', [0], 1000)));
        for (let index = 0; index < 10; index += 1) await assert.rejects(fail(db), /division by zero/);
        await assert.rejects(
          transact(db, 'a', (tx) => fail(tx)),
          /division by zero/,
        );
        assert.equal((await sql`SELECT 1 AS one`.execute(db)).rows.length, 1);
      },
      { statementTimeoutMs: 2000 },
    ));

  test('a transaction that meets conflicts runs again, also one that is a single statement', () =>
    openPostgresFor(server!, async (database, name) => {
      server!.run(
        name,
        `CREATE SEQUENCE tries;
         CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           IF nextval('tries') % 4 > 0 THEN RAISE EXCEPTION 'a conflict' USING ERRCODE = 'serialization_failure'; END IF;
           RETURN new;
         END $$;
         CREATE TRIGGER conflict BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION conflict()`,
      );
      await transact(database.db, 'a', (tx) => insertOrganization(tx, 'a'));
      await database.db.insertInto('organizations').values({ id: 'b', name: 'b', created_at: 1 }).execute();
      assert.deepEqual(await organizationsIn(database), ['a', 'b']);
      server!.run(
        name,
        `CREATE OR REPLACE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'a conflict' USING ERRCODE = 'deadlock_detected'; END $$`,
      );
      await assert.rejects(
        transact(database.db, 'a', (tx) => insertOrganization(tx, 'c')),
        /a conflict/,
      );
    }));

  test('a transaction that loses its connection each time ends with a refusal of the storage', () =>
    openPostgresFor(server!, async (database) => {
      let runs = 0;
      const failing = transact(database.db, 'a', async (tx) => {
        runs += 1;
        cut();
        await insertOrganization(tx, 'a');
      });
      await assert.rejects(failing, (error) => error instanceof StorageRefusal && !error.isUncertain);
      assert.equal(runs, 4);
      assert.match(database.storage.refusal()!, /^the database cannot be reached: /);
      await database.storage.probe();
      assert.equal(database.storage.refusal(), null);
      assert.ok(connections() > 0);
    }));

  test('a node that is no longer the active one commits nothing', () =>
    openPostgresFor(server!, async (database, name) => {
      server!.run(name, 'UPDATE active_node SET epoch = epoch + 1');
      await assert.rejects(
        transact(database.db, 'a', (tx) => insertOrganization(tx, 'a')),
        /another node has become active/,
      );
      await assert.rejects(
        database.db.insertInto('organizations').values({ id: 'b', name: 'b', created_at: 1 }).execute(),
      );
      assert.deepEqual(await organizationsIn(database), []);
    }));

  test('a read that takes longer than the time-out is refused, and cancelled on the server', () =>
    openPostgresFor(
      server!,
      async ({ db, storage }) => {
        await assert.rejects(sql`SELECT pg_sleep(60)`.execute(db), (error) => {
          assert.ok(error instanceof StorageRefusal && !error.isUncertain);
          assert.match(error.message, /took longer than 100 ms/);
          return true;
        });
        assert.equal(storage.refusal(), null, 'others go on');
        assert.equal((await sql`SELECT 1 AS one`.execute(db)).rows.length, 1);
        const sleeping = `SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
        while (server!.run('postgres', sleeping).trim() !== '0');
      },
      { statementTimeoutMs: 100 },
    ));
});
