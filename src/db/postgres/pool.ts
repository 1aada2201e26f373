import pg from 'pg';
import { clientConfig, type PostgresSettings } from './address.ts';

/** Connections that break fail the statement that uses them; the pool replaces them. */
export function createPool(settings: PostgresSettings, max: number): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max });
  const ignore = (): void => undefined; // an error event without a listener would end the process
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    // parley reads few rows by indexes, and joins in the order in which they are found. From statistics that are older than its rows
    // PostgreSQL concludes something else, and compiles it for up to a second.
    client.query('SET jit = off; SET random_page_cost = 1.1; SET join_collapse_limit = 1').catch(ignore);
  });
  return pool;
}
