/**
 * A process of its own whose files may not grow (RLIMIT_FSIZE is the process's): it tries writes and sends its parent what the
 * storage's state says after each.
 */
import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, transact, type Tx } from '../../src/db/transaction.ts';

process.on('SIGXFSZ', () => undefined);
const { db, storage } = await openDatabase({ file: process.argv[2]!, nowMs: 0 });
const limitFiles = (bytes: string): void => {
  const { status, error } = spawnSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`]);
  if (status !== 0) throw new Error('This test needs prlimit: install util-linux.', { cause: error });
};
const states: Record<string, boolean> = {};
async function tried(what: string, write: () => Promise<unknown>): Promise<void> {
  await write().catch(() => undefined);
  states[what] = storage.refusal() === null;
}
const same = (on: Tx | typeof db) => sql`UPDATE t SET a = 'x'`.execute(on);
const other = (on: Tx | typeof db) => sql`INSERT INTO t VALUES ('y')`.execute(on);

await sql`CREATE TABLE t (a TEXT)`.execute(db);
await sql`INSERT INTO t VALUES ('x')`.execute(db);
limitFiles('0');
await tried('a change', () => transact(db, installation, other));
await tried('no change', () => transact(db, installation, same));
await tried('no change, alone', () => same(db));
await tried('a look', () => storage.probe());
limitFiles('unlimited');
await tried('no change, and there is room', () => transact(db, installation, same));
process.send!(states);
process.disconnect!();
