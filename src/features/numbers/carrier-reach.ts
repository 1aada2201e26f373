import { OutboundError } from '../../base/outbound/client.ts';
import { onCommit, type Queryable, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appCounter } from '../../kernel/meters.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import {
  afterHandOver,
  type CarrierPause,
  failsTooOften,
  justFailed,
  mayTry,
  pauseFrom,
  type PausedNumber,
  pauseLonger,
  pauseWithProbe,
} from './carrier-pause.ts';
import * as store from './carrier-pause-store.ts';
import { carrierOutOfReach, carrierPaused, carrierResumed } from './events.ts';

type NumberRef = { orgId: string; numberId: string };

/** Notifies an organization that the carrier of some of its numbers stays out of reach. The job's key is the organization's id. */
export const carrierNotice = jobKind<{ orgId: string }>('carrier.notice');

/** A shorter outage is not worth a notice. */
const noticeAfterMs = 60_000;
/** An organization gets at most one notice in this time, however many numbers it has. */
const noticeGapMs = 3_600_000;

const carrierFailures = appCounter({
  name: 'parley_carrier_failures_total',
  help: 'Calls that could not be handed over since the start because the carrier was out of reach.',
});

/**
 * By reason: `out_of_reach` (no carrier there), `not_taken` (the carrier did not take the call for now), `invalid_number` and `refused`
 * (the call has failed).
 */
export const dialFailures = appCounter({
  name: 'parley_dial_failures_total',
  help: 'Hand-overs to a carrier that failed since the start, by reason.',
  labelled: true,
});

/** How many numbers of one organization, or of all, are paused because their carrier is out of reach, and which has been paused longest. */
export const carrierPauses = (
  db: Queryable,
  orgId?: string,
): Promise<{ paused: number; longest: PausedNumber | undefined }> => store.openPauses(db, orgId);

/** The pauses of an organization's numbers, by the id of the number. */
export const carrierPausesOf = async (db: Queryable, orgId: string): Promise<Map<string, CarrierPause>> =>
  new Map((await store.pausedNumbers(db, orgId)).map((pause) => [pause.numberId, pause]));

/** The organization's active numbers whose carrier is out of reach, at most `limit`, the one that has been paused longest first. */
export const numbersOutOfReach = (db: Queryable, orgId: string, limit: number): Promise<PausedNumber[]> =>
  store.pausedActiveNumbers(db, orgId, limit);

export const carrierStateOf = (db: Queryable, numberId: string): Promise<KnownState> => store.stateOf(db, numberId);

/**
 * Why a call could not be handed over. `nothingThere`: nothing was there to take it (no connection, no trunk), so other calls would fail, too.
 * Otherwise the carrier refused it or stayed silent, which may concern this call alone.
 */
export type HandOverFailure = { reason: string; nothingThere: boolean };

/** Whether a request found nothing that could take it: no name, no connection, or one that broke. */
export const isNothingThere = (error: unknown): boolean =>
  error instanceof OutboundError && ['dns', 'connect', 'tls'].includes(error.reason);

/** Records that a call from the number could not be handed over. Begins a pause if too many could not, and lengthens one. */
export async function recordOutOfReach(
  app: App,
  tx: Tx,
  number: NumberRef,
  { reason, nothingThere }: HandOverFailure,
): Promise<void> {
  onCommit(tx, () => {
    carrierFailures(app).add();
    dialFailures(app).add({ reason: nothingThere ? 'out_of_reach' : 'not_taken' });
  });
  const { pause, recentFailures } = await store.stateOf(tx, number.numberId);
  if (pause !== null) return store.savePause(tx, number, pauseLonger(pause, app.clock.now(), reason));
  const recent = afterHandOver(recentFailures, true);
  if (nothingThere || failsTooOften(recent)) return beginPause(app, tx, number, reason);
  return store.recordFailure(tx, number, { recent, reason });
}

/** Begins a pause, unless the number has one, if nothing was there to answer whether the carrier has a call. */
export async function recordNoAnswer(
  app: App,
  tx: Tx,
  number: NumberRef,
  { reason, nothingThere }: HandOverFailure,
): Promise<void> {
  if (!nothingThere) return;
  const { pause } = await store.stateOf(tx, number.numberId);
  if (pause === null) await beginPause(app, tx, number, reason);
}

async function beginPause(app: App, tx: Tx, number: NumberRef, reason: string): Promise<void> {
  const now = app.clock.now();
  await store.savePause(tx, number, pauseFrom(now, reason));
  await app.events.emit(app, tx, carrierPaused, { ...number, reason });
  const { orgId } = number;
  await enqueue(app, tx, carrierNotice, { key: orgId, dueAt: now + noticeAfterMs, payload: { orgId } });
  onCommit(tx, () => app.log.warn({ ...number, reason }, 'the carrier of a number is out of reach; its calls wait'));
}

/** Whether a call from the number may be handed over now. During a pause, true makes the call the probe, so make all other checks first. */
export async function takeProbe(app: App, tx: Tx, number: NumberRef, state: KnownState): Promise<boolean> {
  const now = app.clock.now();
  if (!mayTry(state, now)) return false;
  if (state.pause !== null) await store.savePause(tx, number, pauseWithProbe(state.pause, now));
  return true;
}

/** The state of a number's carrier, as it was read in this transaction. */
export type KnownState = Awaited<ReturnType<typeof store.stateOf>>;

/** Records that the carrier took a call that was handed over at `requestedAt`, or refused its number. */
export async function recordHandOver(
  app: App,
  tx: Tx,
  number: NumberRef,
  requestedAt: number,
  { pause, recentFailures }: KnownState,
): Promise<void> {
  if (pause !== null) return recordReached(app, tx, number, requestedAt);
  if (recentFailures === 0) return;
  const recent = afterHandOver(recentFailures, false);
  await store.recordSuccess(tx, number.numberId, { recent, isResumption: justFailed(recentFailures) });
}

/**
 * Ends the number's pause, because the carrier answered a request that was sent at `requestedAt`. If the request was sent before the pause
 * began, its answer does not end the pause: a carrier that refuses further calls may still answer earlier ones.
 */
export async function recordReached(app: App, tx: Tx, number: NumberRef, requestedAt: number): Promise<void> {
  const { pause } = await store.stateOf(tx, number.numberId);
  if (pause === null || requestedAt <= pause.pausedAt) return;
  await store.endPause(tx, number.numberId);
  await app.events.emit(app, tx, carrierResumed, number);
  onCommit(tx, () => app.log.info(number, 'the carrier of a number is in reach again'));
}

/**
 * Notifies the organization of those of its pauses that have lasted a minute: of each pause once, and at most once an hour. Enqueues itself
 * again for pauses that have not lasted a minute or must wait for the hour to pass.
 */
export async function noticePauses(app: App, tx: Tx, orgId: string): Promise<void> {
  const now = app.clock.now();
  const untold = (await store.pausedNumbers(tx, orgId)).filter(
    ({ noticedAt, pausedAt }) => noticedAt === null || noticedAt < pausedAt,
  );
  if (untold.length === 0) return;
  const last = await store.lastNoticeAt(tx, orgId);
  const earliest = last === null ? 0 : last + noticeGapMs;
  const long = now < earliest ? [] : untold.filter(({ pausedAt }) => pausedAt + noticeAfterMs <= now);
  if (long.length > 0) {
    await store.markNoticed(
      tx,
      long.map(({ numberId }) => numberId),
      now,
    );
    await app.events.emit(app, tx, carrierOutOfReach, { orgId, numbers: long });
  }
  const waiting = untold.filter((pause) => !long.includes(pause));
  if (waiting.length === 0) return;
  const dueAt = Math.max(
    long.length > 0 ? now + noticeGapMs : earliest,
    Math.min(...waiting.map(({ pausedAt }) => pausedAt)) + noticeAfterMs,
  );
  await enqueue(app, tx, carrierNotice, { key: orgId, dueAt, payload: { orgId } });
}
