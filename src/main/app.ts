import { readFileSync } from 'node:fs';
import { ConfigError } from '../base/config/faults.ts';
import type { Config } from '../base/config/schema.ts';
import type { Log } from '../base/log.ts';
import { fileReason } from '../base/system-errors.ts';
import { createIds, createSeededIds, type SeededIdsOptions } from '../base/ids.ts';
import { createOutbound, type Outbound, type OutboundOptions } from '../base/outbound/client.ts';
import { pagePolicy, webhookPolicy } from '../base/outbound/policies.ts';
import { certificateFault } from '../base/outbound/trust.ts';
import type { PostgresSettings } from '../db/postgres/address.ts';
import { DatabaseInUse } from '../db/sqlite/file-lock.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import { openDatabase, type OpenOptions } from '../db/sqlite/open.ts';
import { isGuarded, isInTransaction } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { keyIdsIn, type Secrets } from '../base/secrets.ts';
import { createEvents } from '../kernel/events.ts';
import { notActive } from '../kernel/turn.ts';
import { readInBackgroundOf } from '../kernel/long-reads.ts';
import { parleyVersion } from '../base/version.ts';
import { type BackgroundThread, createBackgroundThread } from './background/thread.ts';
import type { DataDirectory } from './data-directory.ts';
import { openSecrets, requireDatabase, requireOwnSecrets } from './installation-secrets.ts';
import { requireNotMoved } from './moved.ts';
import { nodeName } from './nodes.ts';
import { finishRestore } from './restore-swap.ts';

/** Another process has the database open. */
class DirectoryInUse extends Error {}

/**
 * Opens the database of a data directory for this process alone.
 * @throws DirectoryInUse when another process has it
 */
export async function openStore(
  directory: DataDirectory,
  { tell, ...options }: Pick<OpenOptions, 'nowMs' | 'throwAway'> & { tell: (message: string) => void },
): Promise<OpenDatabase> {
  const onLocked = (): void => {
    finishRestore(directory);
    requireDatabase(directory);
  };
  try {
    return await openDatabase({ file: directory.databaseFile, onProgress: tell, onLocked, ...options });
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new DirectoryInUse(`${directory.path} is in use by ${directory.holder()}; one process at a time holds it`, {
      cause: error,
    });
  }
}

export const postgresSettings = (store: Config['store'], url: string): PostgresSettings => ({
  url,
  password: store.password,
  caFile: store.ca_file,
  maxConnections: store.max_connections,
  preparesStatements: store.prepared_statements,
  connectTimeoutMs: store.connect_timeout_ms,
  statementTimeoutMs: store.statement_timeout_ms,
});

/** Nothing that this process still does could be committed: its manager starts it anew, and then it stands by. */
function endProcess(log: Log): void {
  log.fatal('another node has become active; this process ends');
  process.exit(1);
}

export type AppOptions = Pick<App, 'config' | 'log' | 'clock' | 'wake' | 'baseUrl'> & {
  directory: DataDirectory;
  /** The database is removed at the end, so commits need not wait for the disk. */
  throwAway: boolean;
  /** Whether this process is a node that serves, and not a command that works beside it. */
  serves: boolean;
  /** Null: ids are drawn from the system. */
  seed: Pick<SeededIdsOptions, 'seed' | 'followsClock'> | null;
  /** Reports migrations. */
  tell: (message: string) => void;
  /** How long (real milliseconds) closing waits for the background task that runs. */
  closeGraceMs: () => number;
  /** Called with the name of the active node while this one waits for it to stop. */
  onStandby?: (active: string) => void;
  /** Ends that wait. */
  stopping?: AbortSignal | undefined;
};

export type OpenedApp = {
  app: App;
  /** Makes the app read another configuration from now on (reload.ts). */
  replaceConfig: (config: Config) => void;
  database: OpenDatabase;
  copyTo: BackgroundThread['copyTo'];
  examineCopy: BackgroundThread['examineCopy'];
};

/**
 * Opens the database of a data directory and assembles the App around it. `opened` closes in reverse order all that was opened, also
 * when a later step fails.
 * @throws DirectoryInUse when another process has the database
 */
export async function openApp(
  opened: AsyncDisposableStack,
  { config, log, clock, wake, baseUrl, directory, throwAway, serves, seed, tell, closeGraceMs, ...waiting }: AppOptions,
): Promise<OpenedApp> {
  const onServer = config.store.url !== null;
  let hasOwnSecrets = false;
  const opening: { secrets?: Secrets } = {};
  /** Reads the file each time: `parley secrets rotate` waits until every node knows the new key. */
  function keyIds(): readonly string[] {
    opening.secrets?.refresh();
    return opening.secrets?.keyIds() ?? keyIdsIn(directory.secretsFile);
  }
  const database = await (config.store.url === null
    ? openStore(directory, { nowMs: clock.now(), throwAway, tell })
    : (await import('../db/postgres/open.ts')).openPostgres({
        settings: postgresSettings(config.store, config.store.url),
        nowMs: clock.now(),
        throwAway,
        anyServer: config.store.any_server,
        migrate: serves ? config.store.migrate : 'never',
        version: parleyVersion,
        node: serves ? { name: nodeName(config), keyIds } : null,
        onProgress: tell,
        stopping: waiting.stopping,
        async onStandby(active, db) {
          hasOwnSecrets ||= await requireOwnSecrets(directory, { db, onServer });
          waiting.onStandby?.(active);
        },
        onLost: () => endProcess(log),
      }));
  opened.defer(() => database.close());
  if (serves) await requireNotMoved(database.db, config.store.moved_anyway);
  const background = createBackgroundThread({ config, clock, access: database.background, wake });
  opened.defer(() => background.close(closeGraceMs()));
  readInBackgroundOf(database.db, background);
  const ca = certificatesIn(config.outbound.ca_file);
  const openClient = (options: OutboundOptions): Outbound => {
    const client = createOutbound({ ...options, ca, maySend: database.mayAct });
    opened.defer(() => client.close());
    return outsideTransactions(database, client);
  };
  const secrets = await openSecrets(directory, { db: database.db, onServer });
  opening.secrets = secrets;
  let current = config;
  const app = Object.freeze({
    version: parleyVersion,
    get config() {
      return current;
    },
    db: database.db,
    mayAct: database.mayAct,
    turnEnds: database.turnEnds,
    clock,
    ids: seed === null ? createIds(clock) : createSeededIds(clock, { ...seed, isInRequest: isGuarded }),
    log,
    secrets,
    events: createEvents(),
    outbound: openClient({ policy: webhookPolicy(config) }),
    web: openClient({ policy: pagePolicy(config) }),
    upstream: openClient({ guard: false }),
    background,
    wake,
    baseUrl,
  });
  return {
    app,
    replaceConfig: (replacement) => void (current = replacement),
    database,
    copyTo: (file) => background.copyTo(file),
    examineCopy: (file, signal) => background.examineCopy(file, signal),
  };
}

/** @throws ConfigError when the file cannot be read or used */
function certificatesIn(file: string | null): string | undefined {
  if (file === null) return undefined;
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw unusableCertificates(`names ${file}, which cannot be read: ${fileReason(error)}`);
  }
  const fault = certificateFault(pem);
  if (fault !== undefined)
    throw unusableCertificates(
      `names ${file}, and ${fault}; give a file of one or more certificates in PEM format ("openssl x509 -inform der" converts others)`,
    );
  return pem;
}

function unusableCertificates(reason: string): ConfigError {
  const setting = 'outbound.ca_file';
  return new ConfigError([{ setting, message: `${setting} ${reason}`, origin: { kind: 'default' } }]);
}

/** Fails a request made inside a transaction: it would hold the database for as long as the network takes. */
function outsideTransactions({ db, mayAct }: OpenDatabase, outbound: Outbound): Outbound {
  const refusing =
    <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      if (isInTransaction(db))
        return Promise.reject(
          new Error('a transaction must not wait for the network; mark its operation `ownTransactions`'),
        );
      return mayAct() ? send(...args) : Promise.reject(notActive());
    };
  return { request: refusing(outbound.request), post: refusing(outbound.post), close: outbound.close };
}
