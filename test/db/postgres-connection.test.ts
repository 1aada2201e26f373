import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { installation, isInTransaction, onCommit, transact, type Tx } from '../../src/db/transaction.ts';
import { StorageRefusal } from '../../src/db/storage.ts';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
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
    open: (run: Opened) => openPostgresFor(server!, run),
  },
};
type Opened = (database: OpenDatabase) => Promise<void>;

const one = (id: string) => ({ id, name: id, created_at: 1 });
const insert = (tx: Tx, id: string) => tx.insertInto('organizations').values(one(id)).execute();
const idsIn = async ({ db }: OpenDatabase): Promise<string[]> =>
  (await db.selectFrom('organizations').select('id').orderBy('id').execute()).map(({ id }) => id);

/** A signal that tests wait for. */
const signal = () => Promise.withResolvers<void>();

for (const [name, { skip, open }] of Object.entries(stores))
  describe(`a transaction on ${name}`, { skip }, () => {
    const on = (sentence: string, run: Opened): void => void test(sentence, () => open(run));

    on('is there for others once it has ended, and its hooks run after that', async (database) => {
      const hooks: string[] = [];
      await transact(database.db, installation, async (tx) => {
        await insert(tx, 'a');
        onCommit(tx, () => hooks.push('committed'));
        assert.deepEqual(hooks, []);
        assert.deepEqual(await idsIn(database), ['a'], 'a query on the database itself belongs to it');
      });
      assert.deepEqual(hooks, ['committed']);
      assert.deepEqual(await idsIn(database), ['a']);
    });

    on('that throws leaves nothing behind', async (database) => {
      await assert.rejects(
        transact(database.db, installation, async (tx) => {
          await insert(tx, 'a');
          throw new Error('no');
        }),
        /^Error: no$/,
      );
      assert.deepEqual(await idsIn(database), []);
    });

    on('goes on after a part of it that failed, also by a statement', async (database) => {
      await transact(database.db, installation, async (outer) => {
        await insert(outer, 'a');
        await assert.rejects(transact(database.db, installation, (tx) => insert(tx, 'a')));
        await insert(outer, 'b');
      });
      assert.deepEqual(await idsIn(database), ['a', 'b']);
    });

    on('sees what an earlier one of its scope wrote, however many begin together', async (database) => {
      await transact(database.db, 'a', (tx) => insert(tx, 'a'));
      const count = async (tx: Tx): Promise<void> => {
        const { in_flight: n } = await tx.selectFrom('organizations').select('in_flight').executeTakeFirstOrThrow();
        await tx
          .updateTable('organizations')
          .set({ in_flight: n + 1 })
          .execute();
      };
      await Promise.all(Array.from({ length: 20 }, () => transact(database.db, 'a', count)));
      const row = await database.db.selectFrom('organizations').select('in_flight').executeTakeFirstOrThrow();
      assert.equal(row.in_flight, 20);
    });

    on('refuses queries that come after its end', async (database) => {
      let late: Tx | undefined;
      await transact(database.db, installation, (tx) => Promise.resolve(void (late = tx)));
      await assert.rejects(insert(late!, 'a'));
      assert.equal(isInTransaction(database.db), false);
    });

    on('of another scope may not begin inside it', async (database) => {
      await assert.rejects(
        transact(database.db, 'a', () => transact(database.db, 'b', () => Promise.resolve())),
        /may not open one of b/,
      );
    });

    on('reads numbers, flags, bytes and JSON in the same form', async ({ db }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT 1 = 1 AS flag, 4503599627370496 AS large, 0.5 AS half, NULL AS absent, 'ä' AS letters, count(*) AS n FROM organizations`.execute(
        db,
      );
      assert.deepEqual(rows, [{ flag: 1, large: 4503599627370496, half: 0.5, absent: null, letters: 'ä', n: 0 }]);
    });

    on('tells how many rows a statement changed', async ({ db }) => {
      const { numAffectedRows } = await sql`
        INSERT INTO organizations (id, name, created_at) VALUES ('a', 'a', 1), ('b', 'b', 1)`.execute(db);
      assert.equal(numAffectedRows, 2n);
    });
  });

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

  test('a transaction whose connection breaks runs again, and its hooks run once', () =>
    openPostgresFor(server!, async (database) => {
      let runs = 0;
      const hooks: string[] = [];
      await transact(database.db, 'a', async (tx) => {
        runs += 1;
        onCommit(tx, () => hooks.push(`run ${runs}`));
        await insert(tx, 'a');
        if (runs === 1) cut();
        await insert(tx, 'b');
      });
      assert.equal(runs, 2);
      assert.deepEqual(hooks, ['run 2']);
      assert.deepEqual(await idsIn(database), ['a', 'b']);
    }));

  test('a transaction that loses its connection each time ends with a refusal of the storage', () =>
    openPostgresFor(server!, async (database) => {
      let runs = 0;
      const failing = transact(database.db, 'a', async (tx) => {
        runs += 1;
        cut();
        await insert(tx, 'a');
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
        transact(database.db, 'a', (tx) => insert(tx, 'a')),
        /another node has become active/,
      );
      await assert.rejects(database.db.insertInto('organizations').values(one('b')).execute());
      assert.deepEqual(await idsIn(database), []);
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
