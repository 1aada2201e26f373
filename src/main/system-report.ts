import { isoOf, isoOrNull, monotonicMs, within } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { LiveNode, OpenDatabase } from '../db/open-database.ts';
import type { Storage } from '../db/storage.ts';
import type { SystemReport, SystemReporter } from '../http/system-routes.ts';
import { backupFindings } from './backup-findings.ts';
import { lastBackup, sizeOf } from './backup-record.ts';
import {
  endpointFinding,
  installationFindings,
  permissionFinding,
  queueFinding,
  reachFinding,
  spaceFinding,
} from './diagnostics.ts';
import { certificateFindings } from './certificate.ts';
import { privateFilesOf } from './data-directory.ts';
import { fileSystemFinding } from './file-system.ts';
import { type Finding, finding } from './finding.ts';
import { movedFindings } from './moved.ts';
import { nodeFindings, type NodeList } from './nodes.ts';
import { accountFindings } from './probes.ts';
import { type QueueState, queueState } from './queue-state.ts';
import { nextBackup } from './backup-times.ts';
import type { TaskContext } from './task-context.ts';

/** For how long, in real time, findings that need no service are reused: several dashboards poll them. */
const localAgeMs = 1000;
/** For how long findings about services are reused. Reaching services takes seconds, and they should not be asked often. */
const serviceAgeMs = 30_000;
/** Findings older than this are waited for again rather than shown. */
const maxAgeMs = 120_000;
/** How long an answer waits for findings; those that take longer are in the next answer. */
const maxWaitMs = 1000;
/** How long an answer waits for the state of the queue before it tells the last one: it is read behind other long reads. */
const maxQueueWaitMs = 250;

const noBackupFinding = finding('backup', 'ok', 'this server removes its data when it stops, so it needs no backup');

/** The state of the queue at an instant of the clock, and when it was read, in real time. */
type KnownQueue = { state: QueueState; at: number; readMs: number };

const oldestSecOf = (found: KnownQueue | undefined): number =>
  typeof found?.state.oldestDueAt === 'number' ? Math.floor((found.at - found.state.oldestDueAt) / 1000) : 0;

const queueFindingOf = (found: KnownQueue | undefined): Finding =>
  found ? queueFinding(found.state, found.at) : finding('queue', 'warn', 'the queue is still being read');

type Reporting = Pick<TaskContext, 'app' | 'directory' | 'carriers'> & {
  database: Pick<OpenDatabase, 'storage' | 'nodes'>;
  nodes: NodeList;
  /** Whether all data are gone once the server has stopped. */
  keepsNothing: boolean;
};

/** The answer of `GET /system` beyond settings. An organization sees findings about itself and the installation, never about others. */
export function createSystemReporter({
  app,
  directory,
  carriers,
  database,
  nodes,
  keepsNothing,
}: Reporting): SystemReporter {
  const startedAt = monotonicMs();
  const cache = createCache();
  const readQueue = async (): Promise<KnownQueue> => {
    const at = app.clock.now();
    return { state: await queueState(app.db, at), at, readMs: monotonicMs() };
  };
  const queue = (): Promise<KnownQueue | undefined> => {
    const { last, next } = cache.get('queue', localAgeMs, readQueue);
    const recent = last !== undefined && monotonicMs() - last.readMs <= maxAgeMs ? last : undefined;
    return within(recent ? maxQueueWaitMs : maxWaitMs, next, () => recent);
  };

  async function checksOf(orgId: string): Promise<SystemReport['checks']> {
    const groups = [
      cache.findings('local', localAgeMs, async () => [
        finding('server', 'ok', 'the server is running'),
        storageFinding(database.storage),
        spaceFinding(directory.path),
        fileSystemFinding(directory.path),
        ...certificateFindings(app.config),
        queueFindingOf(await queue()),
        ...(keepsNothing ? [noBackupFinding] : await backupFindings(app)),
        ...(await movedFindings(app)),
        ...(await nodeFindings(database)),
      ]),
      cache.findings('services', serviceAgeMs, async () => [
        permissionFinding(privateFilesOf(directory.path)),
        ...(await installationFindings(app, carriers)),
      ]),
      cache.findings(`local ${orgId}`, localAgeMs, async () => [
        await endpointFinding(app.db, orgId),
        await reachFinding(app.db, orgId),
      ]),
      cache.findings(`services ${orgId}`, serviceAgeMs, async () =>
        (await Promise.all([accountFindings(app, orgId), carriers.trunkFindings(app, orgId)])).flat(),
      ),
    ];
    const seen = new Map<string, number>();
    return (await Promise.all(groups)).flat().map(({ check, status, message }) => {
      const count = (seen.get(check) ?? 0) + 1;
      seen.set(check, count);
      return { id: count === 1 ? check : `${check}-${count}`, status, message };
    });
  }

  return async ({ orgId, role }) => {
    const found = await queue();
    const { completedAt, path, error } = await lastBackup(app.db);
    const { schedule } = app.config.backup;
    const isAdmin = role === 'admin';
    return {
      checks: isAdmin ? await checksOf(orgId) : null,
      backup: {
        last_at: isoOrNull(completedAt),
        next_at: schedule === null ? null : isoOf(nextBackup(schedule, app.clock.now())),
        path: isAdmin ? path : null,
        size_bytes: sizeOf(path),
        error: isAdmin ? error : null,
      },
      nodes: (await nodes()).map(presentNode),
      uptime_sec: Math.floor((monotonicMs() - startedAt) / 1000),
      queue: { due: found?.state.due ?? 0, oldest_sec: oldestSecOf(found) },
    };
  };
}

const presentNode = ({ id, name, version, roles, startedAt, seenAt }: LiveNode): SystemReport['nodes'][number] => ({
  id,
  name,
  version,
  roles: [...roles],
  started_at: isoOf(startedAt),
  seen_at: isoOf(seenAt),
});

/** Pages and indexes are left to `parley doctor`: reading them takes as long as the database is large. */
function storageFinding(storage: Storage): Finding {
  const refusal = storage.refusal();
  return refusal
    ? finding('database', 'fail', `the storage refuses writes: ${refusal}`)
    : finding('database', 'ok', 'the storage accepts writes; parley doctor checks all pages and indexes');
}

type Entry = { startedAt: number; isRunning: boolean; value: unknown; next: Promise<unknown> };

/** A cache of values by key. A value is loaded again when it is older than `ageMs`, and never by two callers at once. */
function createCache() {
  const entries = new Map<string, Entry>();

  function load<T>(key: string, make: () => Promise<T>): Entry {
    const now = monotonicMs();
    // Drop findings that nobody has asked for lately.
    for (const [other, { isRunning, startedAt }] of entries) {
      if (!isRunning && startedAt < now - maxAgeMs) entries.delete(other);
    }
    const entry: Entry = { startedAt: now, isRunning: true, value: entries.get(key)?.value, next: Promise.resolve() };
    entry.next = make().then(
      (value) => Object.assign(entry, { value, isRunning: false }).value,
      (error: unknown) => {
        entries.delete(key);
        throw error;
      },
    );
    entries.set(key, entry);
    return entry;
  }

  function entryOf<T>(key: string, ageMs: number, make: () => Promise<T>): Entry {
    const entry = entries.get(key);
    return entry && (entry.isRunning || entry.startedAt > monotonicMs() - ageMs) ? entry : load(key, make);
  }

  return {
    /** The value that is being loaded, and the last one that was. */
    get<T>(key: string, ageMs: number, make: () => Promise<T>): { next: Promise<T>; last: T | undefined } {
      const { next, value } = entryOf(key, ageMs, make);
      return { next: next as Promise<T>, last: value as T | undefined };
    },
    /** Returns the last findings while new ones are gathered. Without any, waits up to `maxWaitMs` for the first. */
    async findings(key: string, ageMs: number, make: () => Promise<Finding[]>): Promise<Finding[]> {
      const entry = entryOf(key, ageMs, () =>
        make().catch((error: unknown) => [finding('checks', 'fail', `a check failed: ${messageOf(error)}`)]),
      );
      if (entry.value !== undefined) return entry.value as Finding[];
      return (await within(maxWaitMs, entry.next, unanswered)) as Finding[];
    },
  };
}

const unanswered = (): Finding[] => [
  finding('services', 'warn', 'some services have not answered yet; ask again in a few seconds'),
];
