import { messageOf } from '../base/errors.ts';
import type { Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Completion, ExternalJob, Job, BatchWriter } from '../kernel/queue.ts';
import { postpone, remove } from './store.ts';

/** An external job that ran: what came of it, or what it threw. */
export type Finished = { job: Job<never>; definition: ExternalJob; completion?: Completion; error?: unknown };

/** When a job that threw is to run again; undefined when it has come to its end. */
function retryAt(app: App, { job, definition, completion }: Finished): number | undefined {
  const delayMs = completion === undefined ? definition.retryDelaysMs[job.attempt - 1] : undefined;
  return delayMs === undefined ? undefined : app.clock.now() + delayMs;
}

/**
 * Writes down what finished: what is to be tried again is put off, all else leaves the queue and is written, series first: what a
 * single one has to say (an endpoint failed) comes after what went before it in its lane.
 */
export async function record(app: App, tx: Tx, finished: readonly Finished[]): Promise<void> {
  const ended: Finished[] = [];
  for (const one of finished) {
    const dueAt = retryAt(app, one);
    if (dueAt === undefined) ended.push(one);
    else await postpone(tx, one.job, dueAt, messageOf(one.error));
  }
  await remove(
    tx,
    ended.map(({ job }) => job),
  );
  for (const [series, results] of seriesIn(ended)) await series(app, tx, results);
  for (const { job, definition, completion, error } of ended) {
    if (completion === undefined) await definition.exhausted(app, tx, job, error);
    else if ('write' in completion) await completion.write(tx);
  }
}

function seriesIn(ended: readonly Finished[]): Map<BatchWriter<never>, never[]> {
  const found = new Map<BatchWriter<never>, never[]>();
  for (const { completion } of ended) {
    if (completion === undefined || 'write' in completion) continue;
    const results = found.get(completion.writer) ?? [];
    results.push(completion.result as never);
    found.set(completion.writer, results);
  }
  return found;
}
