import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { within } from '../../base/clock.ts';
import type { OpenDatabase } from '../open-database.ts';
import { databaseBytes } from './bytes.ts';
import { type ActiveNode, becomeActive, maxBeatMs } from './active-node.ts';
import { type PostgresSettings, withDatabase } from './address.ts';
import { withoutPassword } from '../../base/redact.ts';
import { backgroundConnections, type SharedPostgres } from './background-connection.ts';
import { createPostgresConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { createSharedMeters, createStoreMeters, sharedMeters } from './meters.ts';
import { nodesOf, nodesWithoutKey, type NodeIdentity } from './nodes.ts';
import { examine } from './examine.ts';
import { createPool } from './pool.ts';
import { connect, type Migrating, prepare } from './prepare.ts';
import { createPostgresStorage } from './storage.ts';

export type OpenPostgresOptions = {
  settings: PostgresSettings;
  nowMs: number;
  /** Makes a database of its own on the server, and drops it at the end. */
  throwAway: boolean;
  /** Tries a server that is not PostgreSQL. */
  anyServer: boolean;
  /** The setting `store.migrate`. */
  migrate: Exclude<Migrating, 'takeover'>;
  version: string;
  /** Null: a command that works beside the node that serves. */
  node: Pick<NodeIdentity, 'name' | 'keyIds'> | null;
  onProgress: (message: string) => void;
  /** Called with the name of the active node while this one waits for it to stop. */
  onStandby?: (active: string, db: OpenDatabase['db']) => Promise<void>;
  /** Ends that wait. */
  stopping?: AbortSignal | undefined;
  /** Called when another node has become active: this process must end. */
  onLost: () => void;
};

/** Connections for the work of the main thread and for the heartbeat. */
const minConnections = 2;

/**
 * Opens a PostgreSQL database, migrates it and waits until this node is the active one.
 * @throws an Error that says what was found and what is needed
 */
export async function openPostgres(given: OpenPostgresOptions): Promise<OpenDatabase> {
  await using opened = new AsyncDisposableStack();
  const options = given.throwAway ? await createOwn(given, opened) : given;
  const { settings } = options;
  const pooled = (max: number): pg.Pool => {
    const pool = createPool(settings, max);
    opened.defer(() => pool.end());
    return pool;
  };
  const { isDeferred } = await prepare(given.throwAway ? 'auto' : options.migrate, options);
  const pool = pooled(Math.max(minConnections, settings.maxConnections - backgroundConnections));
  const heart = createPool({ ...settings, connectTimeoutMs: Math.min(settings.connectTimeoutMs, maxBeatMs) }, 1);
  opened.defer(() => heart.end());
  const storage = createPostgresStorage();
  const background = createSharedMeters();
  const meters = createStoreMeters(
    () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount }),
    background,
  );
  let active: ActiveNode | undefined;
  const epoch = (): number | undefined => active?.epoch;
  const connection = createPostgresConnection({
    pool,
    storage,
    meters,
    settings,
    probes: true,
    epoch,
    onLost: () => active?.lose(),
  });
  const db = databaseOver(connection);
  if (options.node !== null) {
    active = await becomeActive({
      pool: heart,
      node: { ...options.node, version: options.version },
      shown: withoutPassword(settings.url),
      onStandby: async (name) => options.onStandby?.(name, db),
      signal: options.stopping,
      storage,
    });
    active.onLost(options.onLost);
    opened.defer(() => active!.release());
    if (isDeferred) await prepare('takeover', options);
  }
  const running = opened.move();
  return {
    db,
    times: { metrics: () => meters.metrics() },
    storage: { ...storage, probe: probeOnce(() => connection.probe()) },
    background: {
      share: (): Promise<SharedPostgres> =>
        Promise.resolve({ dialect: 'postgres', settings, epoch: epoch(), meters: background }),
      reportFailure: (error) => storage.failed(error),
      onLargeLog: () => undefined,
      releaseAbandoned: () => sharedMeters(background).connections({ used: 0, idle: 0 }), // the server ends what a lost connection had begun
    },
    nodes: nodesOf(db),
    bytes: () => databaseBytes(db),
    nodesWithoutKey: (keyId) => nodesWithoutKey(db, keyId),
    mayAct: () => active?.isSure() ?? true,
    turnEnds: active?.ends ?? null,
    confirmTurn: () => active?.confirm() ?? Promise.resolve(true),
    examine: (scope) => examine(settings, scope),
    close: () => running.disposeAsync(),
  };
}

/** Makes the database of an ephemeral server. */
async function createOwn(options: OpenPostgresOptions, opened: AsyncDisposableStack): Promise<OpenPostgresOptions> {
  const { settings } = options;
  const name = `parley_ephemeral_${randomBytes(8).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = await connect(settings, withoutPassword(settings.url));
    await using ended = new AsyncDisposableStack();
    ended.defer(() => client.end());
    await client.query(statement);
  };
  await run(`CREATE DATABASE ${name}`);
  opened.defer(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
  return { ...options, settings: { ...settings, url: withDatabase(settings.url, name) } };
}

/** `/ready` asks often, and answers soon also while the database does not. */
const maxProbeMs = 1000;

/** One probe at a time, for which all wait at most a second. A failure is recorded where it happens. */
function probeOnce(probe: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= probe()
      .catch(() => undefined)
      .finally(() => (running = undefined));
    return within(maxProbeMs, running, () => undefined);
  };
}
