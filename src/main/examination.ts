import { statfsSync, statSync } from 'node:fs';
import { sql } from 'kysely';
import { damageIn } from '../db/sqlite/integrity.ts';
import type { Queryable } from '../db/transaction.ts';
import type { TaskContext } from './task-context.ts';

/** One thing that `parley doctor` looked at. `fail`: something does not work; `warn`: something will not, or is missed by many. */
export type Finding = { check: string; status: 'ok' | 'warn' | 'fail'; message: string };

export const finding = (check: string, status: Finding['status'], message: string): Finding => ({
  check,
  status,
  message,
});

const mebi = 1_048_576;
/** What a busy installation writes in an hour or so, and what a checkpoint needs at least. */
const littleSpace = 1024 * mebi;
const noSpace = 64 * mebi;
const longOverdueMs = 60_000;

/** What only the process that has the database open can tell. */
export async function examineStore({ app, directory, carriers }: TaskContext): Promise<Finding[]> {
  return [
    spaceFinding(directory.path),
    await queueFinding(app.db, app.clock.now()),
    await endpointFinding(app.db),
    app.config.email.host === null
      ? finding('email', 'warn', 'email.host is not set: notices are kept and logged, and not sent')
      : finding('email', 'ok', `notices go out by ${app.config.email.host}`),
    { check: 'carrier', ...(await carriers.health(app)) },
  ];
}

function spaceFinding(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const status = free < noSpace ? 'fail' : free < littleSpace ? 'warn' : 'ok';
  return finding('space', status, `${Math.floor(free / mebi)} MiB free at ${path}`);
}

/** Also without a server work is due: then it only waits. */
async function queueFinding(db: Queryable, now: number): Promise<Finding> {
  const { rows } = await sql<{ waiting: number; failing: number; oldest: number | null }>`
    SELECT count(*) AS waiting, count(last_error) AS failing, min(due_at) FILTER (WHERE lease_until IS NULL) AS oldest
    FROM outbox WHERE due_at <= ${now}`.execute(db);
  const { waiting, failing, oldest } = rows[0]!;
  const overdueMs = oldest === null ? 0 : now - oldest;
  const since = overdueMs > longOverdueMs ? `, the oldest for ${Math.floor(overdueMs / 60_000)} minutes` : '';
  const message = `${waiting} jobs are due${since}; ${failing} of them failed before`;
  return finding('queue', overdueMs > longOverdueMs || failing > 0 ? 'warn' : 'ok', message);
}

async function endpointFinding(db: Queryable): Promise<Finding> {
  const { failing, held } = await db
    .selectFrom('webhook_endpoints')
    .select((eb) => [eb.fn.countAll<number>().as('failing'), eb.fn.sum<number | null>('held').as('held')])
    .where('status', '=', 'failing')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (failing === 0) return finding('webhooks', 'ok', 'no endpoint is failing');
  return finding('webhooks', 'warn', `${failing} endpoints are failing; ${held ?? 0} deliveries wait for them`);
}

/** Whether the database is sound: every page and index, every reference. Reads all of it. */
export async function soundness(db: Queryable): Promise<Finding> {
  const damage = await damageIn(db);
  if (damage.length === 0) return finding('database', 'ok', 'every page, index and reference is sound');
  return finding('database', 'fail', `the database is damaged: ${damage.slice(0, 10).join('; ')}`);
}

/** Whether only the owner may read what is in a data directory. */
export function permissionFinding(paths: readonly string[]): Finding {
  if (process.platform === 'win32') return finding('permissions', 'ok', 'Windows has other ones');
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0) return finding('permissions', 'ok', 'only their owner may read the files');
  return finding('permissions', 'warn', `others may read ${open.join(', ')}`);
}
