import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { refreshSite } from '../job-kinds.ts';

const hourMs = 3_600_000;

/** For bases with `enable_auto_refresh`, `knowledge.refresh_hours` after the end of a round. */
export const refreshLater = (app: App, tx: Tx, sourceId: string): Promise<void> =>
  enqueue(app, tx, refreshSite, {
    key: sourceId,
    dueAt: app.clock.now() + app.config.knowledge.refresh_hours * hourMs,
    payload: {},
    onConflict: 'replace',
  });
