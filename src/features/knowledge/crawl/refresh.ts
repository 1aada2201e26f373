import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { refreshSite } from '../job-kinds.ts';

const hourMs = 3_600_000;

/** Schedules the next round of a crawl, `knowledge.refresh_hours` after this one ended. */
export const scheduleRefresh = (app: App, tx: Tx, sourceId: string): Promise<void> =>
  enqueue(app, tx, refreshSite, {
    key: sourceId,
    dueAt: app.clock.now() + app.config.knowledge.refresh_hours * hourMs,
    payload: {},
    onConflict: 'replace',
  });
