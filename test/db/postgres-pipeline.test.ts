import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../../src/db/connection.ts';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import { insertInto, insertRowsInto, prepared } from '../../src/db/prepared.ts';
import { pipelining, run as send } from '../../src/db/postgres/client.ts';
import { StorageRefusal } from '../../src/db/storage.ts';
import { onConnection, type Queryable, transact, type Tx } from '../../src/db/transaction.ts';
import { insertOrganization, organizationsIn } from '../support/connection-conformance.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { openPostgresFor, openSqliteFor } from '../support/store.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let server: PostgresServer;
before(() => void (programs && (server = startPostgres(programs))));
after(() => server?.stop());

const insertRow = insertInto('organizations');
const sendOrganization = (tx: Tx, id: string): Promise<void> => insertRow(tx, { id, name: id, created_at: 1 });
const insertRows = insertRowsInto('organizations', ['id', 'name', 'created_at']);
const count = prepared((db, _p: object) => db.selectFrom('organizations').select((eb) => eb.fn.countAll().as('n')));
const duplicate = /duplicate key value .*\(insert organizations\)/;

describe('statements whose answer nobody reads', { skip }, () => {
  const on = (sentence: string, run: (database: OpenDatabase, name: string) => Promise<void>): void =>
    void test(sentence, () => openPostgresFor(server, run));

  on('fail the commit where one of them failed, and nothing is kept', async (database) => {
    const failing = transact(database.db, 'a', async (tx) => {
      await sendOrganization(tx, 'a');
      await sendOrganization(tx, 'a');
    });
    await assert.rejects(failing, duplicate);
    assert.deepEqual(await organizationsIn(database), []);
    await transact(database.db, 'a', (tx) => sendOrganization(tx, 'a'));
    assert.deepEqual(await organizationsIn(database), ['a']);
  });

  on('fail the next read with their own error', async ({ db }) => {
    let found: unknown;
    const failing = transact(db, 'a', async (tx) => {
      await sendOrganization(tx, 'a');
      await sendOrganization(tx, 'a');
      await sendOrganization(tx, 'b');
      await count(tx, {}).catch((error: unknown) => void (found = error));
    });
    await assert.rejects(failing, /its error was ignored/);
    assert.match(String(found), duplicate);
  });

  on('fail the part of a transaction that sent them, and the rest goes on', async (database) => {
    await transact(database.db, 'a', async (tx) => {
      await sendOrganization(tx, 'a');
      const part = transact(database.db, 'a', async () => {
        await sendOrganization(tx, 'b');
        await sendOrganization(tx, 'a');
      });
      await assert.rejects(part, duplicate);
      await sendOrganization(tx, 'c');
    });
    assert.deepEqual(await organizationsIn(database), ['a', 'c']);
  });

  on('are not forgiven by the end of a later part', async (database) => {
    const failing = transact(database.db, 'a', async (tx) => {
      await sendOrganization(tx, 'a');
      await transact(database.db, 'a', async () => {
        await sendOrganization(tx, 'b');
        await sendOrganization(tx, 'a');
        await transact(database.db, 'a', () => count(tx, {})).catch(() => undefined);
      }).catch(() => undefined);
      await sendOrganization(tx, 'c');
      await sendOrganization(tx, 'c');
      await transact(database.db, 'a', () => count(tx, {})).catch(() => undefined);
    });
    await assert.rejects(failing, /duplicate key|its error was ignored/);
    assert.deepEqual(await organizationsIn(database), []);
  });

  on('are carried out, however many there are', async ({ db }) => {
    const rows = Array.from({ length: 3000 }, (_, at) => ({ id: `o${at}`, name: 'o', created_at: at }));
    const found = await transact(db, 'a', async (tx) => {
      await insertRows(tx, rows);
      for (let at = 0; at < 500; at += 1) await sendOrganization(tx, `p${at}`);
      return (await count(tx, {})).rows[0]!.n;
    });
    assert.equal(found, 3500);
  });

  const cut = (): void =>
    void server.run(
      'postgres',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley' AND state LIKE 'idle in transaction%'`,
    );

  on('run again with the transaction whose connection broke before its COMMIT was sent', async (database) => {
    let runs = 0;
    await transact(database.db, 'a', async (tx) => {
      runs += 1;
      await count(tx, {});
      await sendOrganization(tx, 'a');
      if (runs === 1) cut();
      await sendOrganization(tx, 'b');
      await count(tx, {});
    });
    assert.equal(runs, 2);
    assert.deepEqual(await organizationsIn(database), ['a', 'b']);
  });

  on('run again where nothing was ever answered', async (database) => {
    let runs = 0;
    await transact(database.db, 'a', (tx) => sendOrganization(tx, 'a'));
    server.restart('fast');
    await transact(database.db, 'a', async (tx) => {
      runs += 1;
      await sendOrganization(tx, 'b');
    });
    assert.ok(runs > 1);
    assert.deepEqual(await organizationsIn(database), ['a', 'b']);
  });

  on('may have been committed where the connection broke with the COMMIT under way', async (database) => {
    let runs = 0;
    const failing = transact(database.db, 'a', async (tx) => {
      runs += 1;
      await count(tx, {});
      cut();
      await sendOrganization(tx, 'a');
    });
    await assert.rejects(failing, (error) => error instanceof StorageRefusal && error.isUncertain);
    assert.equal(runs, 1);
    assert.deepEqual(await organizationsIn(database), []);
  });

  on('commit nothing where another node has become active', async (database, name) => {
    server.run(name, 'UPDATE active_node SET epoch = epoch + 1');
    await assert.rejects(
      transact(database.db, 'a', (tx) => sendOrganization(tx, 'a')),
      /another node has become active/,
    );
    await assert.rejects(
      transact(database.db, 'a', () => Promise.resolve()),
      /another node has become active/,
    );
    assert.deepEqual(await organizationsIn(database), []);
  });

  on('with a parameter that is no value are refused at once, and their connection stays usable', async (database) => {
    const circular: { self?: object } = {};
    circular.self = circular;
    for (const value of [circular, Symbol('no'), [1]]) {
      const id = sql`INSERT INTO organizations (id, name, created_at) VALUES (${value}, 'a', 1)`;
      await assert.rejects(
        transact(database.db, 'a', (tx) => id.execute(tx)),
        TypeError,
      );
      await assert.rejects(
        transact(database.db, 'a', (tx) => sendOrganization(tx, value as unknown as string)),
        TypeError,
      );
      await assert.rejects(id.execute(database.db), TypeError);
    }
    await transact(database.db, 'a', (tx) => sendOrganization(tx, 'a'));
    assert.deepEqual(await organizationsIn(database), ['a']);
  });
});

describe('statements under way together', { skip }, () => {
  const readUpTo = (db: Queryable, maxBytes: number) =>
    onConnection(db, (connection: Connection) =>
      connection.readUpTo<{ n: number }>(
        `SELECT n, repeat('x', 100) AS text FROM generate_series(1, $1::bigint) AS n`,
        [1000],
        maxBytes,
      ),
    );

  test('answer each its own question, also beside limited reads', () =>
    openPostgresFor(server, async ({ db }) => {
      await transact(db, 'a', async (tx) => {
        await sendOrganization(tx, 'a');
        const one = async (n: number): Promise<number> =>
          (await sql<{ n: number }>`SELECT ${n} + 1 AS n`.execute(tx)).rows[0]!.n;
        const [first, cut, second, whole, third] = await Promise.all([
          one(1),
          readUpTo(tx, 10_000),
          one(2),
          readUpTo(tx, 1_000_000),
          one(3),
        ]);
        assert.deepEqual([first, second, third], [2, 3, 4]);
        assert.deepEqual([cut.rows.length, cut.isCut], [100, true]);
        assert.deepEqual([whole.rows.length, whole.isCut], [1000, false]);
        await sendOrganization(tx, 'b');
      });
      const { n } = (await count(db, {})).rows[0]!;
      assert.equal(n, 2);
    }));

  test('name a pooler only where it may have lost what was prepared', () =>
    openPostgresFor(server, async (_, name) => {
      const options = { prepares: true };
      const [client, other] = [new pg.Client(server.url(name)), new pg.Client(server.url(name))];
      await Promise.all([client.connect(), other.connect()]);
      const messageOf = (to: pg.Client, text: string): Promise<string> =>
        send(to, text, [], options).then(String, (error: Error) => error.message);
      const hint = /store\.prepared_statements/;
      try {
        pipelining(client, true);
        const wrong = 'SELECT wrong FROM organizations';
        const messages = await Promise.all([messageOf(client, wrong), messageOf(client, wrong)]);
        assert.match(messages[0], /column "wrong" does not exist/);
        assert.match(messages[1], /prepared statement ".+" does not exist/);
        assert.doesNotMatch(messages.join(), hint);

        const text = 'SELECT count(*) FROM organizations';
        await send(client, text, [], options);
        const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
        await client.query('DEALLOCATE ALL');
        assert.match(await messageOf(client, text), hint);
        await other.query(`PREPARE ${rows[0]!.name} AS SELECT 1`);
        assert.match(await messageOf(other, text), hint);
      } finally {
        await Promise.all([client.end(), other.end()]);
      }
    }));

  test('may take the time-out each', () =>
    openPostgresFor(
      server,
      async ({ db }) => {
        const sleep = (tx: Tx) => sql`SELECT pg_sleep(0.7)`.execute(tx);
        await transact(db, 'a', (tx) => Promise.all([sleep(tx), sleep(tx), sleep(tx)]));
      },
      { statementTimeoutMs: 1000 },
    ));
});

type Step =
  | { does: 'send'; id: string }
  | { does: 'insert'; id: string }
  | { does: 'count' }
  | { does: 'part'; steps: Step[]; throws: boolean; isCaught: boolean };

const { steps: stepsArbitrary } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 5, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'steps' },
    fc.record({ does: fc.constant('send' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ does: fc.constant('insert' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ does: fc.constant('count' as const) }),
    fc.record({
      does: fc.constant('part' as const),
      steps: tie('steps'),
      throws: fc.boolean(),
      isCaught: fc.boolean(),
    }),
  ),
}));

/** Ids of rows differ from one transaction to the next. */
async function takeSteps(tx: Tx, db: Queryable, prefix: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.does === 'send') await sendOrganization(tx, prefix + step.id);
    else if (step.does === 'insert') await insertOrganization(tx, prefix + step.id);
    else if (step.does === 'count') await count(tx, {});
    else {
      const part = transact(db, 'a', async () => {
        await takeSteps(tx, db, prefix, step.steps);
        if (step.throws) throw new Error('thrown');
      });
      await (step.isCaught ? part.catch(() => undefined) : part);
    }
  }
}

/** What a transaction leaves, and whether it was committed. */
async function outcome(database: OpenDatabase, prefix: string, steps: readonly Step[]): Promise<[boolean, string[]]> {
  const isCommitted = await transact(database.db, 'a', (tx) => takeSteps(tx, database.db, prefix, steps)).then(
    () => true,
    () => false,
  );
  const found = await organizationsIn(database);
  return [isCommitted, found.filter((id) => id.startsWith(prefix))];
}

test('any transaction leaves on PostgreSQL what it leaves on SQLite', { skip }, () =>
  openSqliteFor((sqlite) =>
    openPostgresFor(server, async (postgres) => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(stepsArbitrary, async (steps) => {
          runs += 1;
          const prefix = `${runs}-`;
          assert.deepEqual(await outcome(postgres, prefix, steps), await outcome(sqlite, prefix, steps));
        }),
        { numRuns: 300 },
      );
    }),
  ),
);
