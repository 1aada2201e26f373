import { dayMs } from '../../base/clock.ts';
import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { keptForMs } from './idempotency.ts';
import * as store from './store.ts';

/** Few enough that a batch holds up nobody. */
const batchSize = 500;

/** Deletes answers whose Idempotency-Key has run out, and what the audit log need not keep any longer. */
export const requestPruning = nightly(jobKind('requests.prune'), '37 3 * * *', async (app, tx) => {
  const now = app.clock.now();
  const answers = await store.deleteIdempotencyRows(tx, now - keptForMs, batchSize);
  const entries = await store.deleteAuditRows(tx, now - app.config.audit.retention_days * dayMs, batchSize);
  return answers === batchSize || entries === batchSize;
});
