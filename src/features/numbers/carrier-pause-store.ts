import type { Selectable } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { CarrierPausesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import {
  carrierInReach,
  type CarrierPause,
  type CarrierState,
  type PausedNumber,
  type RecentFailures,
} from './carrier-pause.ts';

type PauseColumns = Pick<Selectable<CarrierPausesTable>, 'paused_at' | 'probe_at' | 'probes' | 'reason'>;

const pauseOf = (row: PauseColumns): CarrierPause | null =>
  row.paused_at === null
    ? null
    : { pausedAt: row.paused_at, probeAt: row.probe_at, probes: row.probes, reason: row.reason };

const byNumber = prepared((db, p: { numberId: string }) =>
  db.selectFrom('carrier_pauses').selectAll().where('phone_number_id', '=', p.numberId),
);

export async function stateOf(
  db: Queryable,
  numberId: string,
): Promise<CarrierState & { recentFailures: RecentFailures }> {
  const [row] = (await byNumber(db, { numberId })).rows;
  if (!row) return { ...carrierInReach, recentFailures: 0 };
  return { pause: pauseOf(row), resumptions: row.resumptions, recentFailures: row.recent_failures };
}

type NumberRef = { orgId: string; numberId: string };

/** Records a failure that does not pause the number. */
export async function recordFailure(
  tx: Tx,
  { orgId, numberId }: NumberRef,
  { recent, reason }: { recent: RecentFailures; reason: string },
): Promise<void> {
  const changes = { recent_failures: recent, reason };
  await tx
    .insertInto('carrier_pauses')
    .values({ phone_number_id: numberId, organization_id: orgId, paused_at: null, probe_at: 0, probes: 0, ...changes })
    .onConflict((conflict) => conflict.column('phone_number_id').doUpdateSet(changes))
    .execute();
}

/** Records that the carrier took a call, directly after a failure or some time after it. */
export async function recordSuccess(
  tx: Tx,
  numberId: string,
  { recent, isResumption }: { recent: RecentFailures; isResumption: boolean },
): Promise<void> {
  await tx
    .updateTable('carrier_pauses')
    .set((eb) => ({ recent_failures: recent, resumptions: eb('resumptions', '+', isResumption ? 1 : 0) }))
    .where('phone_number_id', '=', numberId)
    .execute();
}

/** Begins or changes the pause of a number. What failed before it does not count after it. */
export async function savePause(
  tx: Tx,
  { orgId, numberId }: NumberRef,
  { pausedAt, probeAt, probes, reason }: CarrierPause,
): Promise<void> {
  const changes = { paused_at: pausedAt, probe_at: probeAt, probes, reason, recent_failures: 0 };
  await tx
    .insertInto('carrier_pauses')
    .values({ phone_number_id: numberId, organization_id: orgId, ...changes })
    .onConflict((conflict) => conflict.column('phone_number_id').doUpdateSet(changes))
    .execute();
}

export async function endPause(tx: Tx, numberId: string): Promise<void> {
  await tx
    .updateTable('carrier_pauses')
    .set((eb) => ({ paused_at: null, resumptions: eb('resumptions', '+', 1) }))
    .where('phone_number_id', '=', numberId)
    .execute();
}

export async function forgetPauses(tx: Tx, numberId: string): Promise<void> {
  await tx.deleteFrom('carrier_pauses').where('phone_number_id', '=', numberId).execute();
}

const paused = (db: Queryable) =>
  db
    .selectFrom('carrier_pauses as p')
    .innerJoin('phone_numbers as n', 'n.id', 'p.phone_number_id')
    .selectAll('p')
    .select('n.phone')
    .where('p.paused_at', 'is not', null)
    .orderBy('p.paused_at')
    .orderBy('n.phone');

const pausedNumberOf = (
  row: PauseColumns & { phone_number_id: string; phone: string; noticed_at: number | null },
): PausedNumber => ({
  ...pauseOf(row)!,
  numberId: row.phone_number_id,
  phone: row.phone,
  noticedAt: row.noticed_at,
});

/** The organization's paused numbers, the one that has been paused longest first. */
export async function pausedNumbers(db: Queryable, orgId: string): Promise<PausedNumber[]> {
  const rows = await paused(db).where('p.organization_id', '=', orgId).execute();
  return rows.map(pausedNumberOf);
}

/** Those of its numbers that are paused and not released, at most `limit`, the one that has been paused longest first. */
export async function pausedActiveNumbers(db: Queryable, orgId: string, limit: number): Promise<PausedNumber[]> {
  const active = paused(db).where('p.organization_id', '=', orgId).where('n.status', '=', 'active');
  return (await active.limit(limit).execute()).map(pausedNumberOf);
}

/** How many numbers of one organization, or of all, are paused, and which of them has been paused longest. */
export async function openPauses(
  db: Queryable,
  orgId?: string,
): Promise<{ paused: number; longest: PausedNumber | undefined }> {
  const all = paused(db);
  const [first] = await (orgId === undefined ? all : all.where('p.organization_id', '=', orgId)).limit(1).execute();
  const pauses = db.selectFrom('carrier_pauses');
  const { count } = await (orgId === undefined ? pauses : pauses.where('organization_id', '=', orgId))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('paused_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return { paused: count, longest: first && pausedNumberOf(first) };
}

/** When the organization was last notified of a pause; null if it never was. */
export async function lastNoticeAt(db: Queryable, orgId: string): Promise<number | null> {
  const row = await db
    .selectFrom('carrier_pauses')
    .select((eb) => eb.fn.max('noticed_at').as('at'))
    .where('organization_id', '=', orgId)
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function markNoticed(tx: Tx, numberIds: readonly string[], at: number): Promise<void> {
  await tx.updateTable('carrier_pauses').set({ noticed_at: at }).where('phone_number_id', 'in', numberIds).execute();
}
