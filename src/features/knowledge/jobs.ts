import { hourMs } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { idsFrom } from '../../base/ids.ts';
import { batchJob } from '../../kernel/batch-job.ts';
import { nightly } from '../../kernel/nightly.ts';
import { externalJob, type JobDefinition, jobKind, transactionalJob } from '../../kernel/queue.ts';
import { retryDelaysMs } from './ingestion/retries.ts';
import { deleteExpiredCrawlDelays } from './crawl/crawl-store.ts';
import { abandonPage, runPageFetch, runRefresh } from './crawl/jobs.ts';
import { deleteOrphanedPieces } from './sources/file-store.ts';
import { abandonIngestion, runIngestion } from './ingestion/ingest.ts';
import { scheduleRefreshes } from './crawl/refresh.ts';
import { crawlPage, ingestDocument, refreshSite, removeRows, scheduleRounds } from './job-kinds.ts';
import { removeBatch } from './removal.ts';
import type { Extractor } from './reading/extractor.ts';

/** At most this many documents of one organization are read at the same time. */
const maxIngestionsPerOrganization = 2;
/** Longer than reading any file may take. */
const leaseMs = 600_000;
/** Recording a page or a short document writes its passages and links, which takes some milliseconds. */
const resultCost = 32;

export const knowledgeJobs = (config: Config, extractor: Extractor): JobDefinition[] => [
  externalJob(ingestDocument, {
    laneConcurrency: maxIngestionsPerOrganization,
    leaseMs,
    resultCost,
    retryDelaysMs,
    run: (app, job, signal) => runIngestion(app, extractor, job, signal),
    exhausted: abandonIngestion,
  }),
  externalJob(crawlPage, {
    laneConcurrency: config.knowledge.crawl.requests_per_host,
    leaseMs: leaseMs + config.knowledge.crawl.timeout_ms,
    resultCost,
    retryDelaysMs,
    run: (app, job, signal) => runPageFetch(app, extractor, job, signal),
    exhausted: abandonPage,
  }),
  transactionalJob(refreshSite, runRefresh),
  batchJob(scheduleRounds, async (app, tx, { key, payload }) => {
    const after = await scheduleRefreshes(app, tx, key, payload.after);
    return after === undefined ? undefined : { after };
  }),
  batchJob(removeRows, async (_app, tx, { key, payload }) =>
    (await removeBatch(tx, payload.what, key)) ? payload : undefined,
  ),
  knowledgePruning.job,
];

const pieceBatch = 20;

/** Deletes the remains of interrupted uploads and crawl-delay slots that have passed. */
export const knowledgePruning = nightly(jobKind('knowledge.prune'), '37 3 * * *', async (app, tx) => {
  const anHourAgo = app.clock.now() - hourMs;
  await deleteExpiredCrawlDelays(tx, anHourAgo);
  return (await deleteOrphanedPieces(tx, idsFrom(anHourAgo), pieceBatch)) === pieceBatch;
});
