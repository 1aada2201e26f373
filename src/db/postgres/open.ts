import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { OpenDatabase } from '../open-database.ts';
import { type ActiveNode, becomeActive } from './active-node.ts';
import { clientConfig, type PostgresSettings, shownUrl, withDatabase } from './address.ts';
import { backgroundConnections, type SharedPostgres } from './background-connection.ts';
import { createPostgresConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { isLoss } from './errors.ts';
import { createStoreMeters } from './meters.ts';
import { migrate } from './migrate.ts';
import { liveNodes, type NodeIdentity } from './nodes.ts';
import { createPool } from './pool.ts';
import { requireUsable } from './requirements.ts';
import { createPostgresStorage } from './storage.ts';

export type OpenPostgresOptions = {
  settings: PostgresSettings;
  nowMs: number;
  /** Makes a database of its own on the server, and drops it at the end. */
  throwAway: boolean;
  /** Tries a server that is not PostgreSQL. */
  anyServer: boolean;
  /** Null: a command that works beside the node that serves. */
  node: Pick<NodeIdentity, 'name' | 'version'> | null;
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
  await prepare(options);
  const pool = pooled(Math.max(minConnections, settings.maxConnections - backgroundConnections));
  const heart = pooled(1);
  const storage = createPostgresStorage();
  const meters = createStoreMeters(() => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount }));
  let active: ActiveNode | undefined;
  const epoch = (): number | undefined => active?.epoch;
  const connection = createPostgresConnection({ pool, storage, meters, settings, epoch });
  const db = databaseOver(connection);
  if (options.node !== null) {
    active = await becomeActive({
      pool: heart,
      node: options.node,
      onStandby: async (name) => options.onStandby?.(name, db),
      signal: options.stopping,
    });
    active.onLost(options.onLost);
    opened.defer(() => active!.release());
  }
  const running = opened.move();
  return {
    db,
    times: { metrics: () => meters.metrics() },
    storage: { refusal: () => storage.refusal(), probe: () => connection.probe().catch(() => undefined) },
    background: {
      share: (): Promise<SharedPostgres> => Promise.resolve({ dialect: 'postgres', settings, epoch: epoch() }),
      reportFailure: (error) => storage.failed(error),
      onLargeLog: () => undefined,
      releaseAbandoned: () => undefined, // the server ends what a lost connection had begun
    },
    nodes: () => liveNodes(db),
    mayAct: () => active?.isSure() ?? true,
    close: () => running.disposeAsync(),
  };
}

/** Makes the database of an ephemeral server. */
async function createOwn(options: OpenPostgresOptions, opened: AsyncDisposableStack): Promise<OpenPostgresOptions> {
  const { settings } = options;
  const name = `parley_ephemeral_${randomBytes(8).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = await connect(settings, shownUrl(settings.url));
    await using ended = new AsyncDisposableStack();
    ended.defer(() => client.end());
    await client.query(statement);
  };
  await run(`CREATE DATABASE ${name}`);
  opened.defer(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
  return { ...options, settings: { ...settings, url: withDatabase(settings.url, name) } };
}

/** A start gives up after this many attempts to connect. */
const maxAttempts = 3;

const insufficientPrivilege = '42501';

/** Connects, checks the server and migrates. */
async function prepare({ settings, anyServer, nowMs, onProgress }: OpenPostgresOptions): Promise<void> {
  const shown = shownUrl(settings.url);
  const client = await connect(settings, shown);
  try {
    const lax = await requireUsable(client, shown, anyServer);
    if (lax !== null)
      onProgress(
        `Warning: the server may lose changes that were answered, because these of its settings are off: ${lax}.`,
      );
    await migrate(client, { shown, nowMs, onProgress }).catch((error: Error & { code?: string }) => {
      if (error.code !== insufficientPrivilege) throw error;
      throw new Error(
        `${shown}: ${error.message}. The role of store.url needs CREATE in the first schema of its search_path; give it with GRANT CREATE ON SCHEMA, or make it the owner of the database.`,
        { cause: error },
      );
    });
  } finally {
    await client.end();
  }
}

async function connect(settings: PostgresSettings, shown: string): Promise<pg.Client> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(clientConfig(settings));
    client.on('error', () => undefined); // the statement that runs fails, and says so
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === maxAttempts || !isLoss(error))
        throw new Error(`${shown} cannot be used: ${reasonOf(error as Error)}`, { cause: error });
    }
  }
}

/** A host with several addresses fails with an error of its own for each. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((one: Error) => one.message).join('; ') : error.message;
