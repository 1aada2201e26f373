import { minuteMs } from '../../base/clock.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { enqueue, jobKind, transactionalJob } from '../../kernel/queue.ts';
import { appendAudit, type NewAuditEntry } from './audit.ts';

/** How often something happened since the last audit entry about it, and its newest occurrence. */
type Summary = { count: number; newest: NewAuditEntry };
const summaries = nodeState('auditSummaries', () => new Map<string, Summary>());

/** Writes one audit entry for everything that happened within a minute; the job's key is that of the summary. */
const writeSummary = jobKind<Record<string, never>>('audit.summarize');

/**
 * Records something that a caller can cause at will, such as a refused request. Each `key` gets an entry at once, and later ones at most
 * once a minute, whose `count` says how often it happened since the entry before. Never rejects, since the request has been refused anyway;
 * a crash loses at most a minute's count.
 */
export async function appendSummed(app: App, key: string, entry: NewAuditEntry): Promise<void> {
  const known = summaries(app).get(key);
  if (known) {
    known.count += 1;
    known.newest = entry;
    return;
  }
  summaries(app).set(key, { count: 0, newest: entry });
  try {
    await transact(app.db, entry.orgId, (tx) => appendAndContinue(app, tx, key, entry, 1));
  } catch (err) {
    summaries(app).delete(key);
    app.log.warn({ err, operation: entry.operation }, 'an entry of the audit log could not be written');
  }
}

async function appendAndContinue(app: App, tx: Tx, key: string, entry: NewAuditEntry, count: number): Promise<void> {
  await appendAudit(app, tx, { ...entry, target: { ...entry.target, count: String(count) } });
  await enqueue(app, tx, writeSummary, { key, dueAt: app.clock.now() + minuteMs, payload: {} });
}

export const auditSummaries = transactionalJob(writeSummary, async (app, tx, { key }) => {
  const summary = summaries(app).get(key);
  if (!summary) return; // the process that counted has died
  const { count, newest } = summary;
  if (count > 0) {
    await appendAndContinue(app, tx, key, newest, count);
    onCommit(tx, () => (summary.count -= count));
  } else {
    onCommit(tx, () => {
      if (summary.count === 0) summaries(app).delete(key);
    });
  }
});
