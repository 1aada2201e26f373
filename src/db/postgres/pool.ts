import pg from 'pg';
import { clientConfig, type PostgresSettings } from './address.ts';

/** Connections that break fail the statement that uses them; the pool replaces them. */
export function createPool(settings: PostgresSettings, max: number): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max });
  const ignore = (): void => undefined; // an error event without a listener would end the process
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    // parley reads few rows, by indexes, and writes joins in the order in which they are to be carried out. While statistics are older than
    // the rows, the planner chooses otherwise: it reads whole tables, and compiles the plan, which takes up to a second.
    client.query('SET jit = off; SET random_page_cost = 1.1; SET join_collapse_limit = 1').catch(ignore);
  });
  return pool;
}
