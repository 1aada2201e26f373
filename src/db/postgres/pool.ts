import pg from 'pg';
import { clientConfig, type PostgresSettings } from './address.ts';

/** Connections that break fail the statement that uses them; the pool replaces them. */
export function createPool(settings: PostgresSettings, max: number): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max });
  const ignore = (): void => undefined; // an error event without a listener would end the process
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    // Compiling a plan takes up to a second, and PostgreSQL does that wherever its statistics are older than the rows. It answers before
    // the first statement, and an error shows there.
    client.query('SET jit = off; SET random_page_cost = 1.1').catch(ignore);
  });
  return pool;
}
