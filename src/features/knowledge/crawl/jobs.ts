import { messageOf } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Completion, type Job, nothingToWrite } from '../../../kernel/queue.ts';
import { busyWaitMs, isBusy, refuseDeadly } from '../ingestion/retries.ts';
import { sourceInHand } from '../sources/store.ts';
import type { Extractor } from '../reading/extractor.ts';
import { pageUrl } from '../page-url.ts';
import { askAgain } from './request.ts';
import { crawlOf } from './crawl-store.ts';
import type { PageInHand } from './crawl.ts';
import { pageInHand } from './page-store.ts';
import { recordVisit } from './record.ts';
import { stagePage } from './stage.ts';
import { startRound } from './start.ts';
import { visit, type Visit } from './visit.ts';

type PageJob = Job<unknown>;

/**
 * Asks for one page and records what came of it in one transaction: what was recorded is not asked for again after a crash, what was
 * not is, with the same outcome.
 */
export async function runPage(app: App, extractor: Extractor, job: PageJob, signal: AbortSignal): Promise<Completion> {
  await refuseDeadly(app, job);
  const page = await pageInHand(app.db, job.key);
  if (!page) return nothingToWrite;
  try {
    return await visited(app, extractor, page, signal);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { write: (tx) => putOff(app, tx, page.id) };
  }
}

async function visited(app: App, extractor: Extractor, page: PageInHand, signal: AbortSignal): Promise<Completion> {
  const outcome = await visit(app, extractor, page, signal);
  const staged = await stagePage(app, page, outcome, signal);
  faultPoint('page.unrecorded');
  return { write: (tx) => writeVisit(app, tx, page, outcome, staged) };
}

/** A round that began meanwhile could not enqueue what was under way: it is asked for once more. */
async function writeVisit(app: App, tx: Tx, { id, round }: PageInHand, outcome: Visit, staged: boolean): Promise<void> {
  const page = await pageInHand(tx, id);
  if (!page) return;
  if (page.round === round) await recordVisit(app, tx, page, outcome, staged);
  else await askAgain(app, tx, page);
}

async function putOff(app: App, tx: Tx, id: string): Promise<void> {
  const page = await pageInHand(tx, id);
  if (page) await askAgain(app, tx, page, busyWaitMs);
}

/** After repeated defects, or a process that died over it again and again, a page is left. */
export async function givePageUp(app: App, tx: Tx, job: PageJob, error: unknown): Promise<void> {
  app.log.error({ err: error, page: job.key }, `a page could not be read: ${messageOf(error)}`);
  const page = await pageInHand(tx, job.key);
  if (!page) return;
  await recordVisit(
    app,
    tx,
    page,
    unread(page, 'It could not be read for a fault of parley itself; the log says more.'),
  );
}

/** Without its robots.txt nothing of a site may be asked for. */
const unread = ({ kind }: PageInHand, reason: string): Visit =>
  kind === 'robots'
    ? { found: 'robots', permission: { forbidden: `robots.txt: ${reason}` } }
    : { found: 'nothing', reason, passing: true };

/** Begins another round of a crawl. */
export async function runRefresh(app: App, tx: Tx, job: Job<unknown>): Promise<void> {
  const crawl = await crawlOf(tx, job.key);
  const source = crawl && (await sourceInHand(tx, job.key));
  if (!source || source.url === null) return;
  await startRound(app, tx, source, { url: pageUrl(source.url), documentId: crawl.documentId });
}
