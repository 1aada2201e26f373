import { sql } from 'kysely';
import { listOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';

/** A recorded call; the sound itself is a file. */
export type Recording = {
  callId: string;
  orgId: string;
  /** The folder of its file, such as 2026-11. */
  month: string;
};

type Row = { call_id: string; organization_id: string; month: string };

const recordingOf = (row: Row): Recording => ({
  callId: row.call_id,
  orgId: row.organization_id,
  month: row.month,
});

export async function insertRecording(tx: Tx, { callId, orgId, month }: Recording): Promise<void> {
  await tx
    .insertInto('call_recordings')
    .values({ call_id: callId, organization_id: orgId, month, ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The recording of a call; undefined if it has none, or one that is about to be deleted. */
export async function recordingOfCall(db: Queryable, callId: string): Promise<Recording | undefined> {
  const row = await db
    .selectFrom('call_recordings')
    .selectAll()
    .where('call_id', '=', callId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', 0)]))
    .executeTakeFirst();
  return row && recordingOf(row);
}

export async function setEnd(tx: Tx, callId: string, endedAt: number): Promise<void> {
  await tx.updateTable('call_recordings').set({ ended_at: endedAt }).where('call_id', '=', callId).execute();
}

/** Recordings whose calls ended at this instant or before, or are gone. */
export async function endedUntil(db: Queryable, until: number, limit: number): Promise<Recording[]> {
  const rows = await db
    .selectFrom('call_recordings')
    .selectAll()
    .where('ended_at', '<=', until)
    .orderBy('ended_at')
    .limit(limit)
    .execute();
  return rows.map(recordingOf);
}

/** Marks recordings whose files are to go, so that nobody can fetch them any more. */
export async function drop(tx: Tx, callIds: readonly string[]): Promise<void> {
  await sql`UPDATE call_recordings SET ended_at = 0 WHERE call_id IN ${listOf(callIds)}`.execute(tx);
  await sql`UPDATE calls SET recording_url = NULL WHERE id IN ${listOf(callIds)}`.execute(tx);
}

/** A page of all recordings, live ones too. */
export async function recordingsAfter(db: Queryable, after: string, limit: number): Promise<Recording[]> {
  const rows = await db
    .selectFrom('call_recordings')
    .selectAll()
    .where('call_id', '>', after)
    .orderBy('call_id')
    .limit(limit)
    .execute();
  return rows.map(recordingOf);
}

/** Forgets recordings whose files are gone. */
export async function forget(tx: Tx, callIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM call_recordings WHERE call_id IN ${listOf(callIds)}`.execute(tx);
  await sql`UPDATE calls SET recording_url = NULL WHERE id IN ${listOf(callIds)}`.execute(tx);
}
