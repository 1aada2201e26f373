import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { nextMacrotask } from '../../src/base/clock.ts';
import { clientConfig, type PostgresSettings } from '../../src/db/postgres/address.ts';
import type { Queryable } from '../../src/db/transaction.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { openPostgresFor, postgresSettings } from '../support/store.ts';

// Own process: each test waits until nothing else runs.
const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let server: PostgresServer;
before(() => void (programs && (server = startPostgres(programs))));
after(() => server?.stop());

const ask = async <R>(db: Queryable, query: RawBuilder<R>): Promise<R> => (await query.execute(db)).rows[0]!;
const session = async (db: Queryable): Promise<number> =>
  (await ask(db, sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`)).pid;
const failing = (db: Queryable): Promise<unknown> => ask(db, sql`SELECT 1 / CAST(${0} AS bigint)`);
const held = (db: Queryable): Promise<{ one: number }> =>
  ask(db, sql<{ one: number }>`SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock_shared(7)) AS waited`);
const times = <T>(count: number, run: () => Promise<T>): Array<Promise<T>> => Array.from({ length: count }, run);

type Reads = {
  db: Queryable;
  /** Waits at the server until `letGo`. */
  held: Promise<{ one: number }>;
  /** Sent in the same moment; each answers with its session. */
  behind: Array<Promise<number>>;
  /** The session of the read that is held. */
  pid: number;
  letGo(): Promise<void>;
};

async function withHeldRead(run: (reads: Reads) => Promise<void>, settings?: Partial<PostgresSettings>): Promise<void> {
  await openPostgresFor(
    server,
    async ({ db }, name) => {
      const holder = new pg.Client(clientConfig(postgresSettings(server.url(name))));
      await holder.connect();
      await holder.query('SELECT pg_advisory_lock(7)');
      try {
        const reads = { held: held(db), behind: times(5, () => session(db)) };
        reads.held.catch(() => undefined);
        const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
        let pid: number;
        while ((pid = Number(server.run('postgres', waiting))) === 0) await nextMacrotask();
        await run({ ...reads, db, pid, letGo: () => holder.end() });
      } finally {
        await holder.end();
      }
    },
    settings,
  );
}

describe('reads outside of transactions', { skip }, () => {
  test('go to one connection while few are under way, and to several otherwise', () =>
    openPostgresFor(server, async ({ db }) => {
      assert.equal(new Set(await Promise.all(times(8, () => session(db)))).size, 1);
      assert.equal(new Set(await Promise.all(times(20, () => session(db)))).size, 3);
    }));

  test('are answered also while one that was sent before them is held up', () =>
    withHeldRead(async ({ db, held: first, behind, pid, letGo }) => {
      for (const found of await Promise.all(behind)) assert.notEqual(found, pid);
      assert.notEqual(await session(db), pid);
      await letGo();
      assert.deepEqual(await first, { one: 1 });
    }));

  test('fail none of the others when one fails', () =>
    openPostgresFor(server, async ({ db }) => {
      const found = await Promise.allSettled([session(db), failing(db), session(db), failing(db), session(db)]);
      assert.deepEqual(
        found.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
      await assert.rejects(failing(db), /division by zero/);
      assert.ok((await session(db)) > 0);
    }));

  test('run again when the connection that they share breaks', () =>
    withHeldRead(async ({ held: first, behind, pid, letGo }) => {
      server.run('postgres', `SELECT pg_terminate_backend(${pid})`);
      for (const found of await Promise.all(behind)) assert.notEqual(found, pid);
      await letGo();
      assert.deepEqual(await first, { one: 1 });
    }));

  test('end at the time-out alone: those beside one that takes too long are answered', () =>
    withHeldRead(
      async ({ held: first, behind, pid }) => {
        await assert.rejects(first, /the statement took longer than 300 ms/);
        for (const found of await Promise.all(behind)) assert.notEqual(found, pid);
      },
      { statementTimeoutMs: 300 },
    ));
});
