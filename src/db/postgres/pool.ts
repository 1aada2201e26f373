import pg from 'pg';
import { clientConfig, type PostgresSettings } from './address.ts';

/** Connections that break fail the statement that uses them; the pool replaces them. */
export function createPool(settings: PostgresSettings, max: number): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max });
  const ignore = (): void => undefined; // an error event without a listener would end the process
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}
