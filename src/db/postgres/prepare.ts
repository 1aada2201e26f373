import pg from 'pg';
import { clientConfig, type PostgresSettings } from './address.ts';
import { withoutPassword } from '../../base/redact.ts';
import { isLoss } from './errors.ts';
import { within } from '../../base/clock.ts';
import { describeMissing, migrate, type MigrateOptions, type Missing, missingFrom } from './migrate.ts';
import { requireNamedStatements, requireUsable } from './requirements.ts';

export type PrepareOptions = Omit<MigrateOptions, 'shown'> & {
  settings: PostgresSettings;
  /** Tries a server that is not PostgreSQL. */
  anyServer: boolean;
  /** Ends the wait for another node that migrates. */
  stopping?: AbortSignal | undefined;
};

/** How a start brings the schema up to date: as `store.migrate` says, or for a node that has just become active. */
export type Migrating = 'auto' | 'never' | 'takeover';

/**
 * Connects, checks the server and brings the schema up to date.
 * @returns whether a migration waits until older nodes have ended
 * @throws an Error that says what was found and what is needed
 */
export async function prepare(how: Migrating, options: PrepareOptions): Promise<{ isDeferred: boolean }> {
  return withUsable(options, async (client, shown) => {
    if (how === 'never') {
      const missing = await missingFrom(client, { ...options, shown });
      if (missing.migrations.length > 0)
        throw new Error(`${shown}: ${describeMissing(missing)}. Run: parley store migrate`);
      return { isDeferred: false };
    }
    const missing = await upgrade(client, { ...options, shown, mayBreakOthers: how === 'takeover' });
    return { isDeferred: missing.migrations.length > 0 };
  });
}

/** For `parley store migrate`: what is left to do, as a sentence. Null unless `check` is set or an older node lives that could not go on. */
export const migrateStore = (options: PrepareOptions & { check: boolean }): Promise<string | null> =>
  withUsable(options, async (client, shown) => {
    const missing = await (options.check ? missingFrom : upgrade)(client, { ...options, shown });
    return missing.migrations.length === 0 ? null : describeMissing(missing);
  });

async function withUsable<T>(
  { settings, anyServer, onProgress, stopping }: PrepareOptions,
  run: (client: pg.ClientBase, shown: string) => Promise<T>,
): Promise<T> {
  const shown = withoutPassword(settings.url);
  const client = await connect(settings, shown);
  const end = (): void => void client.end();
  stopping?.addEventListener('abort', end);
  try {
    const lax = await requireUsable(client, shown, anyServer);
    if (settings.preparesStatements)
      await within(
        settings.connectTimeoutMs,
        requireNamedStatements(client, () => connect(settings, shown)),
        () => {
          throw new Error(`${shown}: the pooler gave parley no second connection; let its pool have at least 4`);
        },
      );
    if (lax !== null)
      onProgress(
        `Warning: the server may lose changes that were answered, because these of its settings are off: ${lax}.`,
      );
    return await run(client, shown);
  } finally {
    stopping?.removeEventListener('abort', end);
    await client.end();
  }
}

const [insufficientPrivilege, lockNotAvailable] = ['42501', '55P03'];

const upgrade = (client: pg.ClientBase, options: MigrateOptions): Promise<Missing> =>
  migrate(client, options).catch((error: Error & { code?: string }) => {
    if (error.code === lockNotAvailable)
      throw new Error(`${options.shown}: another node has been upgrading the schema for 10 minutes; try again later`, {
        cause: error,
      });
    if (error.code !== insufficientPrivilege) throw error;
    throw new Error(
      `${options.shown}: ${error.message}. The role of store.url needs CREATE in the first schema of its search_path; give it with GRANT CREATE ON SCHEMA, or make it the owner of the database.`,
      { cause: error },
    );
  });

/** A start gives up after this many attempts to connect. */
const maxAttempts = 3;

export async function connect(settings: PostgresSettings, shown: string): Promise<pg.Client> {
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
