import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import {
  decideAlone,
  installation,
  isInTransaction,
  onCommit,
  scopeOf,
  transact,
  transactTogether,
  type Tx,
  withScope,
} from '../../src/db/transaction.ts';

/** What code that runs transactions relies on, whatever the store. */

export type OpenedStore = (database: OpenDatabase) => Promise<void>;
/** Opens an empty database for as long as `run` takes. */
export type TestedStore = { skip: string | false; open: (run: OpenedStore) => Promise<void> };

const one = (id: string) => ({ id, name: id, created_at: 1 });
export const insertOrganization = (tx: Tx, id: string) => tx.insertInto('organizations').values(one(id)).execute();
export const organizationsIn = async ({ db }: OpenDatabase): Promise<string[]> =>
  (await db.selectFrom('organizations').select('id').orderBy('id').execute()).map(({ id }) => id);

/** Declares the tests of a store. */
export function describeTransactions(name: string, { skip, open }: TestedStore): void {
  describe(`a transaction on ${name}`, { skip }, () => {
    const on = (sentence: string, run: OpenedStore): void => void test(sentence, () => open(run));

    on('is there for others once it has ended, and its hooks run after that', async (database) => {
      const hooks: string[] = [];
      await transact(database.db, installation, async (tx) => {
        await insertOrganization(tx, 'a');
        onCommit(tx, () => hooks.push('committed'));
        assert.deepEqual(hooks, []);
        assert.deepEqual(await organizationsIn(database), ['a'], 'a query on the database itself belongs to it');
      });
      assert.deepEqual(hooks, ['committed']);
      assert.deepEqual(await organizationsIn(database), ['a']);
    });

    on('that throws leaves nothing behind', async (database) => {
      await assert.rejects(
        transact(database.db, installation, async (tx) => {
          await insertOrganization(tx, 'a');
          throw new Error('no');
        }),
        /^Error: no$/,
      );
      assert.deepEqual(await organizationsIn(database), []);
    });

    on('goes on after a part of it that failed, also by a statement', async (database) => {
      await transact(database.db, installation, async (outer) => {
        await insertOrganization(outer, 'a');
        await assert.rejects(transact(database.db, installation, (tx) => insertOrganization(tx, 'a')));
        await insertOrganization(outer, 'b');
      });
      assert.deepEqual(await organizationsIn(database), ['a', 'b']);
    });

    on('sees what an earlier one of its scope wrote, however many begin together', async (database) => {
      await transact(database.db, 'a', (tx) => insertOrganization(tx, 'a'));
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

    on('that decides alone sees what those of other scopes decided before', async (database) => {
      const { db } = database;
      const insertIfFew = (id: string) => async (tx: Tx) => {
        await decideAlone(tx, 'organizations');
        const { n } = await tx
          .selectFrom('organizations')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        if (n < 3) await insertOrganization(tx, id);
      };
      const ids = Array.from({ length: 12 }, (_, at) => `o${at}`);
      await Promise.all(ids.map((id) => transact(db, id, insertIfFew(id))));
      assert.equal((await organizationsIn(database)).length, 3);
    });

    on('of several scopes excludes those of each, and its parts have one each', async ({ db }) => {
      const order: string[] = [];
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const together = transactTogether(db, ['a', 'b'], async (tx) => {
        begun.resolve();
        await assert.rejects(transact(db, 'a', () => Promise.resolve()));
        await withScope(tx, 'b', () => transact(db, 'b', (part) => Promise.resolve(void order.push(scopeOf(part)))));
        await end.promise;
      });
      await begun.promise;
      const later = ['a', 'b'].map((scope) =>
        transact(db, scope, () => Promise.resolve(void order.push(`${scope} later`))),
      );
      end.resolve();
      await Promise.all([together, ...later]);
      assert.equal(order[0], 'b');
      assert.deepEqual(order.slice(1).toSorted(), ['a later', 'b later']);
    });

    on('refuses queries that come after its end', async (database) => {
      let late: Tx | undefined;
      await transact(database.db, installation, (tx) => Promise.resolve(void (late = tx)));
      await assert.rejects(insertOrganization(late!, 'a'));
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
}
