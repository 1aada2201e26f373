import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import type { Call } from '../../src/features/calls/call.ts';
import { callEnded } from '../../src/features/calls/events.ts';
import { endedCall, measured, type Measured } from './deliveries.ts';
import { medians, quick, ratiosOf, type Row } from './report.ts';
import { makeAgent, type Server, startServer } from './server.ts';

/** The rows of an event, in the order in which parley writes them. */
const tables = ['webhook_events', 'webhook_deliveries', 'outbox'] as const;

const singles = quick ? 300 : 1000;
const batches = quick ? 10 : 50;
const batchSize = 100;
const rounds = quick ? 3 : 11;

type Bare = { write(rows: readonly Inserted[], perTransaction: number): void; close(): void };
/** One event: a row of each table. */
type Inserted = ReadonlyArray<readonly unknown[]>;

/**
 * The same tables with the same indexes, without parley's triggers and foreign keys, in a database with `synchronous=FULL` and otherwise
 * SQLite's own settings for WAL.
 */
async function openBare(server: Server): Promise<Bare> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const database = new Sqlite(join(directory, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = OFF');
  const { rows } = await sql<{ sql: string }>`
    SELECT sql FROM sqlite_schema
    WHERE type IN ('table', 'index') AND sql IS NOT NULL AND tbl_name IN (${sql.join([...tables])})
    ORDER BY type DESC`.execute(server.app.db);
  for (const statement of rows) database.exec(statement.sql);
  const inserts = tables.map((table) => {
    const count = database.pragma(`table_info(${table})`) as unknown[];
    return database.prepare(`INSERT INTO ${table} VALUES (${count.map(() => '?').join(', ')})`);
  });
  const insertAll = database.transaction((events: readonly Inserted[]) => {
    for (const event of events) inserts.forEach((insert, index) => insert.run(...event[index]!));
  });
  return {
    write(events, perTransaction) {
      for (let from = 0; from < events.length; from += perTransaction) {
        insertAll(events.slice(from, from + perTransaction));
      }
    },
    close() {
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Writes the events of ended calls through parley; each transaction begins when the one before is on disk. */
async function write({ app, orgId }: Server, calls: readonly Call[], perTransaction: number): Promise<void> {
  for (let from = 0; from < calls.length; from += perTransaction) {
    await transact(app.db, orgId, async (tx) => {
      for (const call of calls.slice(from, from + perTransaction)) {
        await app.events.emit(app, tx, callEnded, { call, invalidNumber: false });
      }
    });
  }
}

/** The rows of the newest events. */
async function newest({ app }: Server, events: number): Promise<Inserted[]> {
  const columns: Array<Array<readonly unknown[]>> = [];
  for (const table of tables) {
    const name = sql.table(table);
    const { rows } = await sql<Record<string, unknown>>`
      SELECT * FROM ${name} ORDER BY id DESC LIMIT ${events}`.execute(app.db);
    columns.push(rows.toReversed().map((row) => Object.values(row)));
  }
  return Array.from({ length: events }, (_, index) => columns.map((rows) => rows[index]!));
}

type Round = Record<'parley' | 'bare' | 'parleyCpu' | 'bareCpu', number>;

async function compare(server: Server, bare: Bare, agents: readonly string[], [events, perTransaction]: Size) {
  const results: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const calls = Array.from({ length: events }, (_, index) => endedCall(server, agents[index % agents.length]!));
    const ours = await measured(events, () => write(server, calls, perTransaction));
    const rows = await newest(server, events);
    const theirs: Measured = await measured(events, () => bare.write(rows, perTransaction));
    if (round === 0) continue; // the first round is a warm-up
    results.push({
      parley: ours.perSecond,
      bare: theirs.perSecond,
      parleyCpu: ours.cpuUs,
      bareCpu: theirs.cpuUs,
    });
  }
  return results;
}
type Size = readonly [events: number, perTransaction: number];

/** Compares writing events, their deliveries and their jobs through parley with bare inserts of the same rows. Nothing is delivered. */
export async function measureWriting(): Promise<Row[]> {
  const server = await startServer();
  await server.runner.stop(0);
  const agents: string[] = [];
  for (let index = 0; index < 32; index++) agents.push(await makeAgent(server, [`http://127.0.0.1:9/hooks/${index}`]));
  const bare = await openBare(server);
  const sizes = [
    ['one by one', [singles, 1], 0.6],
    [`in transactions of ${batchSize}`, [batches * batchSize, batchSize], 0.4],
  ] as const;
  const rows: Row[] = [];
  for (const [how, size, atLeast] of sizes) {
    const results = await compare(server, bare, agents, size);
    const m = medians(results);
    const ratios = ratiosOf(results, 'parley', 'bare');
    rows.push(
      { what: `events written ${how}, per second`, bare: m.bare, parley: m.parley, ratios, target: { atLeast } },
      { what: 'CPU per event written', bare: m.bareCpu, parley: m.parleyCpu, unit: 'µs' },
    );
  }
  bare.close();
  await server.finish();
  return rows;
}
