import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Tx } from '../../src/db/transaction.ts';
import { numbersTo } from '../../test/support/both-stores.ts';

/** Unix milliseconds in the year 2255: later than any run of a bench. */
const never = 9_000_000_000_000;

type WaitingDeliveries = { orgId: string; agentId: string; url: string; urls: number; count: number };

/** Adds `urls` endpoints of an agent, and `count` deliveries to them in turn, whose jobs are not due until `makeDue`. */
export async function addWaitingDeliveries(tx: Tx, added: WaitingDeliveries): Promise<void> {
  const { orgId, agentId, url, urls, count } = added;
  const idOf = (kind: string, n: string) => sql.raw(`printf('ffffffff-ffff-7${kind}-8000-%012x', ${n})`);
  const endpoint = idOf('fff', `n % ${urls}`);
  await sql`${numbersTo(urls)} INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at)
    SELECT ${endpoint}, ${orgId}, ${agentId}, ${url} || '/' || n, 'delivering', 0 FROM numbers`.execute(tx);
  await sql`${numbersTo(count)} INSERT INTO webhook_events (id, organization_id, agent_id, event, body, created_at)
    SELECT ${idOf('ffe', 'n')}, ${orgId}, ${agentId}, 'call.completed', '{}', 0 FROM numbers`.execute(tx);
  await sql`${numbersTo(count)}
    INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, next_attempt_at, created_at)
    SELECT ${idOf('ffd', 'n')}, ${orgId}, ${idOf('ffe', 'n')}, ${endpoint}, 'pending', ${never}, 0 FROM numbers`.execute(
    tx,
  );
  await sql`${numbersTo(count)} INSERT INTO outbox (kind, key, scope, lane, due_at, payload)
    SELECT 'webhook.deliver', ${idOf('ffd', 'n')}, ${orgId}, 'webhook:' || ${endpoint}, ${never}, '{}' FROM numbers`.execute(
    tx,
  );
}

/** Makes all waiting jobs of a kind due at an instant. No server may have the database open. */
export function makeDue(databaseFile: string, kind: string, dueAt: number): void {
  const database = new Database(databaseFile);
  database.prepare('UPDATE outbox SET due_at = ? WHERE kind = ?').run(dueAt, kind);
  database.close();
}
