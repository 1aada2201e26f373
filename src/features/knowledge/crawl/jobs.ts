import { messageOf } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Completion, type Job, nothingToWrite } from '../../../kernel/queue.ts';
import { fullQueueDelayMs, internalError, isQueueFull, refuseCrashLoop } from '../ingestion/retries.ts';
import { findBase } from '../bases/store.ts';
import { activeSource } from '../sources/store.ts';
import type { Extractor } from '../reading/extractor.ts';
import { normalizePageUrl } from '../page-url.ts';
import { requestAgain } from './request.ts';
import { findCrawl } from './crawl-store.ts';
import type { RequestedPage } from './crawl.ts';
import { findRequestedPage } from './page-store.ts';
import { recordVisit, type Staged } from './record.ts';
import { stageLinks } from './discover.ts';
import { stageLongPage } from './stage.ts';
import { startRound } from './start.ts';
import { visit, type VisitResult } from './visit.ts';

type PageJob = Job<unknown>;

/**
 * Fetches one page and records the result in one transaction. After a crash, a page without a recorded result is
 * fetched again, with the same outcome.
 */
export async function runPageFetch(
  app: App,
  extractor: Extractor,
  job: PageJob,
  signal: AbortSignal,
): Promise<Completion> {
  await refuseCrashLoop(app, job);
  const page = await findRequestedPage(app.db, job.key);
  if (!page) return nothingToWrite;
  try {
    return await fetchAndStage(app, extractor, page, signal);
  } catch (error) {
    if (!isQueueFull(error)) throw error;
    // The extractor's queue is full, which is not the page's fault: requeue it without counting an attempt.
    return { write: (tx) => postpone(app, tx, page.id) };
  }
}

async function fetchAndStage(
  app: App,
  extractor: Extractor,
  page: RequestedPage,
  signal: AbortSignal,
): Promise<Completion> {
  const outcome = await visit(app, extractor, page, signal);
  const staged = {
    text: await stageLongPage(app, page, outcome, signal),
    links: await stageLinks(app, page, outcome),
  };
  faultPoint('page.unrecorded');
  return { write: (tx) => completeVisit(app, tx, page, outcome, staged) };
}

/** Records a result, unless a new round began during the fetch: then the page is fetched again for that round. */
async function completeVisit(
  app: App,
  tx: Tx,
  { id, round }: RequestedPage,
  outcome: VisitResult,
  staged: Staged,
): Promise<void> {
  const page = await findRequestedPage(tx, id);
  if (!page) return;
  if (page.round === round) await recordVisit(app, tx, page, outcome, staged);
  else await requestAgain(app, tx, page);
}

async function postpone(app: App, tx: Tx, id: string): Promise<void> {
  const page = await findRequestedPage(tx, id);
  if (page) await requestAgain(app, tx, page, fullQueueDelayMs);
}

/** Gives up on a page after repeated internal errors or crashes. */
export async function abandonPage(app: App, tx: Tx, job: PageJob, error: unknown): Promise<void> {
  app.log.error({ err: error, page: job.key }, `giving up on a page: ${messageOf(error)}`);
  const page = await findRequestedPage(tx, job.key);
  if (!page) return;
  await recordVisit(app, tx, page, abandonedVisit(page, internalError('page', page.id)));
}

/** The result of a fetch that was given up. Without its robots.txt, nothing on a site may be fetched. */
const abandonedVisit = ({ kind }: RequestedPage, reason: string): VisitResult =>
  kind === 'robots'
    ? { found: 'robots', access: { forbidden: `robots.txt: ${reason}` } }
    : { found: 'failure', reason, temporary: true };

/** Starts the next round of a crawl, unless crawling again was switched off since it was scheduled. */
export async function runRefresh(app: App, tx: Tx, job: Job<unknown>): Promise<void> {
  const crawl = await findCrawl(tx, job.key);
  const source = crawl && (await activeSource(tx, job.key));
  if (!source || source.url === null) return;
  const base = await findBase(tx, crawl.orgId, crawl.baseId);
  if (!base?.enableAutoRefresh) return;
  await startRound(app, tx, source, { url: normalizePageUrl(source.url), documentId: crawl.documentId });
}
