import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { transactionalJob } from '../../kernel/queue.ts';
import { endSilentCalls, type SilencePayload } from './kinds.ts';
import { checkSilence, endSilent, leaseGraceMs, leaseUntil } from './service.ts';
import { type LiveCall, liveCallsAfter } from './store.ts';

/** One transaction reads at most this many live calls, in a millisecond, and ends at most as many as it ends in some ten. */
const maxRead = 200;
const maxEnded = 10;

/**
 * Looks through the next live calls of an organization, ends those whose time is over, and looks again when the next one's may be. An answer
 * moves a call's time only to later, so nothing is written for it.
 */
export const silenceJob = transactionalJob(endSilentCalls, async (app, tx, { key: orgId, payload }) => {
  const next = await lookThrough(app, tx, orgId, payload);
  if (next.isLast) {
    if (next.earliest !== null) await checkSilence(app, tx, orgId, next.earliest);
  } else {
    await startBatches(app, tx, endSilentCalls, orgId, { after: next.after, earliest: next.earliest });
  }
});

async function lookThrough(
  app: App,
  tx: Tx,
  orgId: string,
  { after: from, earliest: before }: SilencePayload,
): Promise<SilencePayload & { isLast: boolean }> {
  const now = app.clock.now();
  let [after, earliest, ended] = [from, before, 0];
  const calls = await liveCallsAfter(tx, orgId, from, maxRead);
  for (const call of calls) {
    if (ended === maxEnded) return { after, earliest, isLast: false };
    const until = untilOf(call, now);
    if (until <= now) {
      await endSilent(app, tx, call.id);
      ended += 1;
    } else earliest = Math.min(earliest ?? until, until);
    after = call.id;
  }
  return { after, earliest, isLast: calls.length < maxRead };
}

/** The earliest instant at which a call may have to be ended. One that is queued starts now at the earliest. */
const untilOf = (call: LiveCall, now: number): number =>
  call.state === 'queued' ? now + call.maxDurationMs + leaseGraceMs : leaseUntil(call);
