import { statfsSync, statSync } from 'node:fs';
import { sql } from 'kysely';
import { isoOf } from '../base/clock.ts';
import type { OpenDatabase } from '../db/sqlite/open.ts';
import type { Queryable } from '../db/transaction.ts';
import { carrierPauses } from '../features/numbers/carrier-reach.ts';
import { embeddingBacklog, type EmbeddingBacklog } from '../search/service.ts';
import { type Finding, finding } from './finding.ts';
import { probeFindings } from './probes.ts';
import type { TaskContext } from './task-context.ts';

const mebi = 1_048_576;
/** A busy installation writes this much in about an hour. */
const lowSpaceBytes = 1024 * mebi;
/** A checkpoint needs at least this much. */
const minSpaceBytes = 64 * mebi;
const maxOverdueMs = 60_000;

/** The checks that need the process that has the database open. */
export async function diagnose({ app, directory, carriers }: TaskContext): Promise<Finding[]> {
  const [reached, carrier] = await Promise.all([probeFindings(app), carriers.health(app)]);
  return [
    spaceFinding(directory.path),
    await queueFinding(app.db, app.clock.now()),
    await endpointFinding(app.db),
    ...vectorFindings(await embeddingBacklog(app)),
    ...reached,
    { check: 'carrier', ...carrier },
    await reachFinding(app.db),
  ];
}

function spaceFinding(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  const status = freeBytes < minSpaceBytes ? 'fail' : freeBytes < lowSpaceBytes ? 'warn' : 'ok';
  return finding('space', status, `${Math.floor(freeBytes / mebi)} MiB free at ${path}`);
}

/** Without a server, due jobs are normal; they are reported all the same, because they run as soon as one starts. */
async function queueFinding(db: Queryable, now: number): Promise<Finding> {
  const { rows } = await sql<{ waiting: number; failing: number; oldest: number | null }>`
    SELECT count(*) AS waiting, count(last_error) AS failing, min(due_at) FILTER (WHERE lease_until IS NULL) AS oldest
    FROM outbox WHERE due_at <= ${now}`.execute(db);
  const { waiting, failing, oldest } = rows[0]!;
  const overdueMs = oldest === null ? 0 : now - oldest;
  const isOverdue = overdueMs > maxOverdueMs;
  const since = isOverdue ? `, the oldest for ${Math.floor(overdueMs / 60_000)} minutes` : '';
  const message = `${waiting} jobs are due${since}; ${failing} of them have failed before`;
  return finding('queue', isOverdue || failing > 0 ? 'warn' : 'ok', message);
}

async function endpointFinding(db: Queryable): Promise<Finding> {
  const { failing, held } = await db
    .selectFrom('webhook_endpoints')
    .select((eb) => [eb.fn.countAll<number>().as('failing'), eb.fn.sum<number | null>('held').as('held')])
    .where('status', '=', 'failing')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (failing === 0) return finding('webhooks', 'ok', 'no endpoint is failing');
  return finding(
    'webhooks',
    'warn',
    `${failing} endpoints are failing; ${held ?? 0} deliveries are held back for them`,
  );
}

function vectorFindings(backlog: EmbeddingBacklog | undefined): Finding[] {
  if (!backlog) return [];
  const { pending, refused } = backlog;
  if (pending === 0) return [finding('vectors', 'ok', 'every passage has its vector')];
  const retried = refused === 0 ? '' : `; the endpoint refused ${refused} of them, which are tried again within a day`;
  return [finding('vectors', 'warn', `${pending} passages wait for a vector and are found by words only${retried}`)];
}

/** Numbers whose calls wait because their carrier is out of reach. */
async function reachFinding(db: Queryable): Promise<Finding> {
  const { paused, longest } = await carrierPauses(db);
  if (longest === undefined) return finding('calls', 'ok', 'no call waits for a carrier that is out of reach');
  return finding(
    'calls',
    'warn',
    `the carrier of ${paused === 1 ? '1 number' : `${paused} numbers`} is out of reach, of ${longest.phone} since ${isoOf(longest.pausedAt)}: ${longest.reason}`,
  );
}

/** Checks all pages, indexes and references. Reads the whole database. */
export async function integrityFinding(database: OpenDatabase): Promise<Finding> {
  const damage = await database.damage();
  if (damage.length === 0) return finding('database', 'ok', 'all pages, indexes and references are intact');
  return finding('database', 'fail', `the database is damaged: ${damage.slice(0, 10).join('; ')}`);
}

/** Checks that only their owner may read the files of a data directory. */
export function permissionFinding(paths: readonly string[]): Finding {
  if (process.platform === 'win32') return finding('permissions', 'ok', 'not checked on Windows');
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0) return finding('permissions', 'ok', 'only the owner can read the files');
  return finding('permissions', 'warn', `other users can read ${open.join(', ')}; remove their access with chmod go=`);
}
