import { statfsSync, statSync } from 'node:fs';
import { isoOf } from '../base/clock.ts';
import type { Examination } from '../db/open-database.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Carriers } from '../features/calls/carriers/carriers.ts';
import { carrierPauses } from '../features/numbers/carrier-reach.ts';
import type { App } from '../kernel/app.ts';
import { embeddingBacklog, type EmbeddingBacklog } from '../search/service.ts';
import { backupFindings } from './backup-findings.ts';
import { certificateFindings } from './certificate.ts';
import { fileSystemFinding } from './file-system.ts';
import { type Finding, finding } from './finding.ts';
import { movedFindings } from './moved.ts';
import { nodeFindings } from './nodes.ts';
import { accountFindings, serviceFindings } from './probes.ts';
import { type QueueState, queueState } from './queue-state.ts';
import type { TaskContext } from './task-context.ts';

const mebi = 1_048_576;
/** Less free space than this is reported as low; a busy installation writes this much in about an hour. */
const lowSpaceBytes = 1024 * mebi;
/** Less free space than this is a failure, because a checkpoint needs it. */
const minSpaceBytes = 64 * mebi;
const maxOverdueMs = 60_000;

/** The checks that need the process that has the database open. */
export async function diagnose({ app, database, directory, carriers }: TaskContext): Promise<Finding[]> {
  await database.background.share(); // so that the process of `parley doctor` can read the database
  const [installed, accounts, trunks] = await Promise.all([
    installationFindings(app, carriers),
    accountFindings(app),
    carriers.trunkFindings(app),
  ]);
  const now = app.clock.now();
  return [
    spaceFinding(directory.path),
    fileSystemFinding(directory.path),
    ...certificateFindings(app.config),
    queueFinding(await queueState(app.db, now), now),
    ...(await backupFindings(app)),
    ...(await movedFindings(app)),
    ...(await nodeFindings(database)),
    await endpointFinding(app.db),
    ...installed,
    ...accounts,
    ...trunks,
    await reachFinding(app.db),
  ];
}

/** Checks that belong to no organization and take long: vectors, services and the carrier. */
export async function installationFindings(app: App, carriers: Carriers): Promise<Finding[]> {
  const [reached, carrier, drivers] = await Promise.all([
    serviceFindings(app),
    carriers.health(app),
    carriers.findings(app),
  ]);
  return [...vectorFindings(await embeddingBacklog(app)), ...reached, { check: 'carrier', ...carrier }, ...drivers];
}

export function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

export function spaceFinding(path: string): Finding {
  const freeBytes = freeBytesOf(path);
  const status = freeBytes < minSpaceBytes ? 'fail' : freeBytes < lowSpaceBytes ? 'warn' : 'ok';
  return finding('space', status, `${Math.floor(freeBytes / mebi)} MiB free at ${path}`);
}

/** Without a server, due jobs are normal; they are reported all the same, because they run as soon as one starts. */
export function queueFinding({ due, failedBefore, oldestDueAt }: QueueState, now: number): Finding {
  const overdueMs = oldestDueAt === null ? 0 : now - oldestDueAt;
  const isOverdue = overdueMs > maxOverdueMs;
  const since = isOverdue ? `, the oldest for ${Math.floor(overdueMs / 60_000)} minutes` : '';
  const message = `${due} jobs are due${since}; ${failedBefore} of them have failed before`;
  return finding('queue', isOverdue || failedBefore > 0 ? 'warn' : 'ok', message);
}

/** Failing webhook endpoints of one organization, or of all. */
export async function endpointFinding(db: Queryable, orgId?: string): Promise<Finding> {
  const endpoints = db.selectFrom('webhook_endpoints');
  const { failing, held } = await (orgId === undefined ? endpoints : endpoints.where('organization_id', '=', orgId))
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
  const waiting =
    pending === 1 ? '1 passage waits for a vector and is' : `${pending} passages wait for a vector and are`;
  const retried = refused === 0 ? '' : `; the endpoint refused ${refused} of them and is asked again within a day`;
  return [finding('vectors', 'warn', `${waiting} found by words only${retried}`)];
}

/** Numbers of one organization, or of all, whose calls wait because their carrier is out of reach. */
export async function reachFinding(db: Queryable, orgId?: string): Promise<Finding> {
  const { paused, longest } = await carrierPauses(db, orgId);
  if (longest === undefined) return finding('calls', 'ok', 'no call waits for a carrier that is out of reach');
  return finding(
    'calls',
    'warn',
    `the carrier of ${paused === 1 ? '1 number' : `${paused} numbers`} is out of reach, of ${longest.phone} since ${isoOf(longest.pausedAt)}: ${longest.reason}`,
  );
}

export const integrityFinding = ({ damage, sound }: Examination): Finding =>
  damage.length > 0
    ? finding('database', 'fail', `the database is damaged: ${damage.slice(0, 10).join('; ')}`)
    : finding('database', 'ok', sound);

/** Checks that only their owner may read the files of a data directory. */
export function permissionFinding(paths: readonly string[]): Finding {
  if (process.platform === 'win32') return finding('permissions', 'ok', 'not checked on Windows');
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0) return finding('permissions', 'ok', 'only the owner can read the files');
  return finding('permissions', 'warn', `other users can read ${open.join(', ')}; remove their access with chmod go=`);
}
