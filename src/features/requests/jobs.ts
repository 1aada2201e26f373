import { dayMs } from '../../base/clock.ts';
import { optimize } from '../../db/transaction.ts';
import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { answerRetentionMs } from './idempotency.ts';
import { deleteImportedRows } from './changes-store.ts';
import * as store from './store.ts';

/** Deletes expired idempotency answers, and audit entries older than `audit.retention_days`. Then renews the planner's statistics. */
export const requestPruning = nightly(jobKind('requests.prune'), '37 3 * * *', async (app, tx, rows) => {
  const now = app.clock.now();
  const answers = await store.deleteIdempotencyRows(tx, now - answerRetentionMs, rows);
  const kept = now - app.config.audit.retention_days * dayMs;
  const entries = await store.deleteAuditRows(tx, kept, rows);
  const imported = await deleteImportedRows(tx, kept, rows);
  const isMoreToDo = [answers, entries, imported].includes(rows);
  if (!isMoreToDo) await optimize(tx);
  return isMoreToDo;
});
