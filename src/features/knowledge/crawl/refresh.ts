import { hourMs } from '../../../base/clock.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { maxBatchRows } from '../../../kernel/batch-size.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { refreshSite } from '../job-kinds.ts';
import { sourcesAfter } from './crawl-store.ts';

/** Schedules the next round of a crawl, `knowledge.refresh_hours` after this one ended. */
export const scheduleRefresh = (app: App, tx: Tx, sourceId: string): Promise<void> =>
  enqueue(app, tx, refreshSite, {
    key: sourceId,
    dueAt: app.clock.now() + app.config.knowledge.refresh_hours * hourMs,
    payload: {},
    onConflict: 'replace',
  });

/**
 * Schedules the next rounds of a batch of a base's finished crawls, those that follow `after`. Returns where the next batch begins;
 * undefined after the last one. A crawl that is running schedules its next round when it ends.
 */
export async function scheduleRefreshes(app: App, tx: Tx, baseId: string, after: string): Promise<string | undefined> {
  const sources = await sourcesAfter(tx, baseId, after, maxBatchRows);
  for (const { id, isFinished } of sources) if (isFinished) await scheduleRefresh(app, tx, id);
  return sources.length < maxBatchRows ? undefined : sources.at(-1)!.id;
}
