import { messageOf } from '../base/errors.ts';
import type { Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { BatchWriter, Completion, ExternalJob, Job } from '../kernel/queue.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import { postpone, remove } from './store.ts';

/** An external job that ran: its result, or the error that it threw. */
export type Finished = { job: Job<never>; definition: ExternalJob; completion?: Completion; error?: unknown };

/** How much of a commit a result takes. */
export const costOf = ({ definition }: Finished): number => definition.resultCost ?? 1;

/** Takes results from the front of `ready` until they cost `maxCost`; one at least, if there are any. */
export function takeUpTo(ready: Finished[], maxCost: number): Finished[] {
  let [count, cost] = [0, 0];
  for (; count < ready.length && cost < maxCost; count += 1) cost += costOf(ready[count]!);
  return ready.splice(0, count);
}

/** When a failed job runs again; undefined when it succeeded or has used all its attempts. */
function retryAt(app: App, { job, definition, completion }: Finished): number | undefined {
  const delayMs = completion === undefined ? definition.retryDelaysMs[job.attempt - 1] : undefined;
  return delayMs === undefined ? undefined : app.clock.now() + delayMs;
}

/** Takes finished jobs, of any scopes, out of the queue, and returns them. A job that is retried is postponed and not returned. */
export async function takeEnded(app: App, tx: Tx, finished: readonly Finished[]): Promise<Finished[]> {
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
  return ended;
}

/**
 * Writes the results of jobs of one scope that have left the queue. Batched results are written first: when an endpoint has failed (a
 * single result), the deliveries that it accepted before must already be recorded.
 */
export async function writeResults(app: App, tx: Tx, ended: readonly Finished[]): Promise<void> {
  const [first] = ended;
  if (!first) return;
  watchdogOf(app).mark({ kind: 'job', name: first.job.kind, size: ended.length });
  for (const [write, results] of batchesOf(ended)) await write(app, tx, results);
  for (const { job, definition, completion, error } of ended) {
    if (completion === undefined) await definition.exhausted(app, tx, job, error);
    else if ('write' in completion) await completion.write(tx);
  }
}

function batchesOf(ended: readonly Finished[]): Map<BatchWriter<never>, never[]> {
  const batches = new Map<BatchWriter<never>, never[]>();
  for (const { completion } of ended) {
    if (completion === undefined || 'write' in completion) continue;
    const results = batches.get(completion.writer) ?? [];
    results.push(completion.result as never);
    batches.set(completion.writer, results);
  }
  return batches;
}
