/**
 * Run as a separate process, because the limit on file sizes that imitates a full disk (RLIMIT_FSIZE) holds for a whole process. It
 * tries several writes and sends its parent whether the storage counts as healthy after each of them.
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
async function attempt(name: string, write: () => Promise<unknown>): Promise<void> {
  await write().catch(() => undefined);
  states[name] = storage.refusal() === null;
}
const same = (on: Tx | typeof db) => sql`UPDATE t SET a = 'x'`.execute(on);
const other = (on: Tx | typeof db) => sql`INSERT INTO t VALUES ('y')`.execute(on);

await sql`CREATE TABLE t (a TEXT)`.execute(db);
await sql`INSERT INTO t VALUES ('x')`.execute(db);
limitFiles('0');
await attempt('a change', () => transact(db, installation, other));
await attempt('no change', () => transact(db, installation, same));
await attempt('no change, alone', () => same(db));
await attempt('a look', () => storage.probe());
limitFiles('unlimited');
await attempt('no change, and there is room', () => transact(db, installation, same));
process.send!(states);
process.disconnect!();
