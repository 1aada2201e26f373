import type { Queryable, Tx } from '../../db/transaction.ts';
import { prepared } from '../../db/prepared.ts';

/** Events of a call. */
export const timelineTypes = [
  'invite',
  'ringing',
  'answered',
  'verdict',
  'greeting',
  'interrupted',
  'dtmf',
  'tool',
  'transfer',
  'speech_lost',
  'speech_back',
  'recording',
  'hangup',
] as const;

export type TimelineEntry = {
  /** Unix milliseconds. */
  at: number;
  type: (typeof timelineTypes)[number];
  /** Text for people: the keys pressed, a phone number or a reason. */
  detail: string | null;
};

/** Later entries are dropped, so that a call with endless key presses stays bounded; the last place is that of its end. */
const maxEntries = 500;

/** What the entry of a tool says: its name, how long it took and, if it failed, why. */
export const toolDetail = (name: string, ms: number, fault: string | null): string =>
  `${name.slice(0, 64)}, ${ms} ms${fault === null ? '' : `, failed: ${fault}`}`.slice(0, 300);

const lastNumber = prepared((db, p: { callId: string }) =>
  db.selectFrom('call_timeline').select('number').where('call_id', '=', p.callId).orderBy('number', 'desc').limit(1),
);

/** Adds an entry. Only carriers that see the events of their calls write entries; other calls have an empty timeline. */
export async function recordTimeline(tx: Tx, callId: string, { at, type, detail }: TimelineEntry): Promise<void> {
  const [last] = (await lastNumber(tx, { callId })).rows;
  const number = (last?.number ?? 0) + 1;
  if (number > (type === 'hangup' ? maxEntries : maxEntries - 1)) return;
  await tx.insertInto('call_timeline').values({ call_id: callId, number, at, type, detail }).execute();
}

const ofCall = prepared((db, p: { callId: string }) =>
  db.selectFrom('call_timeline').selectAll().where('call_id', '=', p.callId).orderBy('at').orderBy('number'),
);

/** The timeline of a call, oldest entry first. */
export const timelineOf = async (db: Queryable, callId: string): Promise<TimelineEntry[]> =>
  (await ofCall(db, { callId })).rows.map(({ at, type, detail }) => ({
    at,
    type: type as TimelineEntry['type'],
    detail,
  }));
