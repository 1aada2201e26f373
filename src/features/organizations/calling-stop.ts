import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Actor } from '../requests/actor.ts';
import * as store from './store.ts';

/** Since when an organization calls nobody (docs/calling.md, "Stop all calling"). */
export type CallingStop = { at: number; by: Actor | null; reason: string | null };

export const callingStopped = 'Calling is stopped for the whole organization; resume calling first.';

/** Null while calling goes on. */
export async function callingStopOf(db: Queryable, orgId: string): Promise<CallingStop | null> {
  const row = await store.organizationById(db, orgId);
  if (!row || row.stopped_at === null) return null;
  const by = row.stopped_by === null ? null : (JSON.parse(row.stopped_by) as Actor);
  return { at: row.stopped_at, by, reason: row.stopped_reason };
}

/** Null ends the stop. */
export const setCallingStop = (tx: Tx, orgId: string, stop: CallingStop | null): Promise<void> =>
  store.updateOrganization(tx, orgId, {
    stopped_at: stop?.at ?? null,
    stopped_reason: stop?.reason ?? null,
    stopped_by: stop?.by ? JSON.stringify(stop.by) : null,
  });
