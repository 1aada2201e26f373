import type pg from 'pg';
import { run, runAll } from './client.ts';

/** PostgreSQL 15, as the server tells its version. */
const minVersion = 150_000;

type Found = { version: string; number: string; standby: 0 | 1; schema: string | null; lax: string | null };

const look = `SELECT version() AS version, current_setting('server_version_num') AS number, pg_is_in_recovery() AS standby,
  current_schema() AS schema,
  (SELECT string_agg(name, ', ' ORDER BY name) FROM pg_settings
   WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off') AS lax`;

/**
 * Checks whether a server can be used. Returns its settings by which it may lose an answered write.
 * @throws an Error that says what was found and what is needed
 */
export async function requireUsable(client: pg.ClientBase, shown: string, anyServer: boolean): Promise<string | null> {
  const [found] = (await runAll(client, look)) as [Found];
  const refuse = (message: string): never => {
    throw new Error(`${shown}: ${message}`);
  };
  if (!anyServer && !/^PostgreSQL \d/.test(found.version))
    refuse(
      `the server is ${found.version}; parley needs PostgreSQL 15 or later. To try it all the same: store.any_server: true`,
    );
  if (Number(found.number) < minVersion) refuse(`the server is ${found.version}; parley needs PostgreSQL 15 or later`);
  if (found.standby === 1) refuse('the server is a read-only standby; parley needs the primary');
  if (found.schema === null) refuse('no schema of the search_path exists; parley keeps its tables in the first one');
  return found.lax;
}

/** A pooler mostly gives the connection to the server that was used last; other clients of the pooler may come in between. */
const attempts = 3;

/**
 * Checks that what one connection has prepared is there for it, and for it alone. A pooler in transaction mode that does not keep named
 * statements apart would fail statements once two are under way.
 * @throws the server's error, with the setting to change
 */
export async function requireNamedStatements(
  client: pg.ClientBase,
  connectAnother: () => Promise<pg.Client>,
): Promise<void> {
  const served = (by: pg.ClientBase, prepares: boolean): Promise<number> =>
    run<{ pid: number }>(by, 'SELECT pg_backend_pid() AS pid', [], { prepares }).then(({ rows }) => rows[0]!.pid);
  const { processID } = client as { processID?: number };
  if ((await served(client, true)) === processID) return; // no pooler in between
  const another = await connectAnother();
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prepared = await served(client, true);
      await another.query('BEGIN');
      const taken = await served(another, false);
      await served(client, true); // by another process of the server, if the other connection has taken that one
      await another.query('ROLLBACK');
      if (taken === prepared) return;
    }
  } finally {
    await another.end();
  }
}
