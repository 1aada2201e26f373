import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { keptForMs } from './idempotency.ts';
import * as store from './store.ts';

/** Few enough that a batch holds up nobody. */
const batchSize = 500;

/** Deletes answers whose Idempotency-Key has run out. */
export const requestPruning = nightly(jobKind('requests.prune'), '37 3 * * *', async (app, tx) => {
  const deleted = await store.deleteIdempotencyRows(tx, app.clock.now() - keptForMs, batchSize);
  return deleted === batchSize;
});
