import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as later } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { openBackgroundConnection } from '../../src/db/sqlite/background-connection.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, onConnection, type Queryable, transact, type Tx } from '../../src/db/transaction.ts';
import { type Random, randomOf } from './random.ts';

/** The contents of the database file and its write-ahead log. */
type Files = { database: Buffer; log: Buffer };

/** The size in bytes of a sector, which a disk writes whole or not at all. */
const sector = 512;
/** The log's header. When SQLite starts the log over, it changes the header and syncs that before it writes anything else. */
const headerBytes = 32;
const writers = 6;
const backgroundRows = 3;

/**
 * Writes to a database, cuts its power `cuts` times at random moments, and checks after each cut that everything that was acknowledged is
 * there. The disk has what the last completed sync or checkpoint found, and some of the log's sectors written after it.
 */
export async function cutPower(seed: number, cuts: number): Promise<{ acknowledged: number; syncs: number }> {
  const random = randomOf(seed);
  const directory = mkdtempSync(join(tmpdir(), 'parley-power-'));
  const file = join(directory, 'parley.db');
  const disk = createDisk(file, random);
  const database = await openDatabase({ file, nowMs: 0, sync: disk.sync });
  const background = openBackgroundConnection(await database.background.share());
  disk.checkpointed();
  const work = startWriters({ main: database.db, background: background.db, checkpointed: disk.checkpointed }, random);
  try {
    for (let cut = 0; cut < cuts; cut += 1) {
      await ticks(random.between(1, 30));
      work.check(rowsOf(disk.afterCut(join(directory, 'left.db'))));
    }
  } finally {
    await work.stop();
    background.close();
    database.close();
    rmSync(directory, { recursive: true });
  }
  return { acknowledged: work.acknowledged(), syncs: disk.syncs() };
}

type Disk = {
  /** Imitates a sync: it takes some ticks of the event loop, and covers everything that was written before it began. */
  sync: () => Promise<void>;
  syncs(): number;
  /** Call it directly after a checkpoint: SQLite has synced log and database. */
  checkpointed: () => void;
  /** Writes what a power cut leaves now. Returns the name of that database. */
  afterCut(left: string): string;
};

function createDisk(file: string, random: Random): Disk {
  const read = (): Files => ({ database: readFileSync(file), log: readFileSync(`${file}-wal`) });
  let onDisk: Files | undefined;
  let checkpoints = 0;
  let syncs = 0;
  return {
    async sync() {
      const found = read();
      const checkpointsBefore = checkpoints;
      await ticks(random.between(0, 4));
      syncs += 1;
      if (checkpoints === checkpointsBefore) onDisk = found; // A checkpoint meanwhile has synced more.
    },
    syncs: () => syncs,
    checkpointed() {
      onDisk = read();
      checkpoints += 1;
    },
    afterCut(left) {
      writeFileSync(left, onDisk!.database);
      writeFileSync(`${left}-wal`, logAfterCut(onDisk!.log, read().log, random));
      return left;
    },
  };
}

function logAfterCut(synced: Buffer, now: Buffer, random: Random): Buffer {
  const log = Buffer.alloc(Math.max(synced.length, now.length));
  synced.copy(log);
  now.copy(log, 0, 0, headerBytes);
  const share = random.draw();
  for (let at = 0; at < now.length; at += sector) {
    if (random.chance(share)) now.copy(log, at, at, at + sector);
  }
  return log;
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await later();
}

function rowsOf(file: string): Map<string, number> {
  const database = new Sqlite(file);
  try {
    assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    const rows = database.prepare('SELECT id, created_at FROM organizations').all() as Array<{
      id: string;
      created_at: number;
    }>;
    return new Map(rows.map((row) => [row.id, row.created_at]));
  } finally {
    database.close();
  }
}

/** The versions of a row: the last that was acknowledged, and the last that was written. Zero: no row. */
type Versions = { acknowledged: number; written: number };

type Sides = { main: Queryable; background: Queryable; checkpointed: () => void };

function startWriters({ main, background, checkpointed }: Sides, random: Random) {
  const versions = new Map<string, Versions>();
  let acknowledged = 0;
  let isStopped = false;

  async function write(id: string, version: number, how: () => Promise<unknown>): Promise<void> {
    const known = versions.get(id) ?? { acknowledged: 0, written: 0 };
    versions.set(id, known);
    known.written = version;
    await how();
    known.acknowledged = version;
    acknowledged += 1;
  }

  const ways: ReadonlyArray<(id: string, version: number) => Promise<unknown>> = [
    (id, version) => put(main, id, version),
    (id, version) => transact(main, installation, (tx) => put(tx, id, version)),
    (id, version) =>
      transact(main, installation, async (tx) => {
        await put(tx, id, version);
        for (let row = 0; row < 8; row += 1) await put(tx, `${id} filler ${row}`, version);
      }),
    async (id, version) => {
      const part = (row: number): string => `${id} part ${row}`;
      for (let row = 0; row < backgroundRows; row += 1) {
        await transact(background, installation, (tx) => put(tx, part(row), version));
      }
      await transact(main, installation, (tx) => put(tx, id, version));
      for (let row = 0; row < backgroundRows; row += 1) await write(part(row), version, () => Promise.resolve());
    },
    async (id, version) => {
      await transact(main, installation, (tx) => put(tx, id, version));
      await onConnection(background, (connection) => {
        void connection.execute('PRAGMA wal_checkpoint(PASSIVE)', []);
        checkpointed();
      });
    },
  ];

  async function writer(name: string): Promise<void> {
    for (let version = 1; !isStopped; version += 1) {
      const id = `${name} ${random.between(1, 20)}`;
      const way = random.pick(ways);
      await write(id, version, () => way(id, version));
    }
  }

  const running = Promise.all(Array.from({ length: writers }, (_, number) => writer(`writer ${number}`)));
  return {
    acknowledged: () => acknowledged,
    check(rows: ReadonlyMap<string, number>): void {
      for (const [id, { acknowledged: least, written: most }] of versions) {
        const found = rows.get(id) ?? 0;
        assert.ok(found >= least, `${id}: version ${least} was acknowledged, and ${found} is there`);
        assert.ok(found <= most || id.includes('part'), `${id}: version ${found} was never written`);
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

/** A text so long that some rows take pages of their own. */
const name = 'x'.repeat(700);

const put = (db: Queryable | Tx, id: string, version: number) =>
  db
    .insertInto('organizations')
    .values({ id, name, created_at: version })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: version }))
    .execute();
