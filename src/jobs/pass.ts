import { messageOf } from '../base/errors.ts';
import { transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Defined } from './defined.ts';
import type { ExternalJobs } from './external.ts';
import type { Finished } from './recording.ts';
import { nextDueAfter } from './store.ts';
import type { TransactionalJobs } from './transactional.ts';

export type Workers = { app: App; defined: Defined; external: ExternalJobs; transactional: TransactionalJobs };

/** `recordOnly`: the process stops, nothing is to be begun any more. */
type Work = { finished: readonly Finished[]; recordOnly: boolean };

/**
 * Records what finished, runs what is due and claims what may start. How many jobs were recorded or run. When one of them throws,
 * each has a commit of its own, so that it hurts no other.
 */
export async function work(workers: Workers, { finished, recordOnly }: Work): Promise<number> {
  const now = workers.app.clock.now();
  const begins = !recordOnly && (workers.external.mayClaim(now) || workers.transactional.mayBeDue(now));
  if (finished.length === 0 && !begins) return 0;
  try {
    return await workTogether(workers, { finished, recordOnly });
  } catch (error) {
    return await workOneByOne(workers, { finished, recordOnly }, error);
  }
}

/** One commit, which costs as much for one job as for a hundred; what a tick makes due at once is claimed with it. */
async function workTogether({ app, defined, external, transactional }: Workers, due: Work): Promise<number> {
  const { finished, recordOnly } = due;
  const now = app.clock.now();
  const { ran, claimed } = await transact(app.db, async (tx) => {
    await external.recordIn(tx, finished);
    if (recordOnly) return { ran: [], claimed: [] };
    const done = await transactional.runIn(tx);
    const mayHaveEnqueued = finished.length + done.length > 0 && external.isCaughtUp();
    const claims = mayHaveEnqueued || external.mayClaim(now);
    return { ran: done, claimed: claims ? await external.claimIn(tx, now) : [] };
  });
  external.hold(claimed, finished);
  ran.forEach((job) => defined.ran(job));
  return finished.length + ran.length;
}

/** The next pass claims. @throws the error when there is nothing that it could be the fault of */
async function workOneByOne(workers: Workers, { finished, recordOnly }: Work, error: unknown): Promise<number> {
  const { app, external, transactional } = workers;
  external.wanted(app.clock.now());
  transactional.wanted(app.clock.now());
  app.log.warn({ error: messageOf(error), results: finished.length }, 'jobs failed together and are done one by one');
  await external.recordOneByOne(finished);
  external.hold([], finished);
  const due = recordOnly ? 0 : await transactional.runOneByOne();
  if (finished.length + due === 0) throw error;
  return finished.length + due;
}

/**
 * When something falls due next: looked up when nothing is left to do, and remembered. External work that was due at `now` and was not
 * claimed is in a busy lane, whose next end wakes; what runs in transactions may have fallen due since it was looked for.
 */
export async function nextInstant({ app, external, transactional }: Workers, now: number): Promise<number | undefined> {
  const next = await nextDueAfter(app.db, { transactional: transactional.lookedAt(), external: now });
  if (next.transactional !== null) transactional.wanted(next.transactional);
  if (next.external !== null) external.wanted(next.external);
  const instants = [next.transactional, next.external].filter((instant) => instant !== null);
  return instants.length > 0 ? Math.min(...instants) : undefined;
}

/** What keeps the runner from having nothing to do, in words. */
export function waitsFor({ external }: Workers): string[] {
  const jobs = external.inHand();
  return jobs.length > 0 ? jobs : ['work in transactions, which makes more of it due, or fails'];
}
