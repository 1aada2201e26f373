import type { Config } from '../base/config/schema.ts';
import type { App } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import type { EncryptedTable } from '../kernel/encrypted-table.ts';
import { agentJobs } from './agents/jobs.ts';
import { calendarJobs } from './calendar/jobs.ts';
import { encryptedCalendarKeys } from './calendar/connection.ts';
import type { Carriers } from './calls/carriers/carriers.ts';
import { callJobs } from './calls/jobs.ts';
import { callPruning } from './calls/retention.ts';
import { leftOutPruning } from './campaigns/contacts/left-out.ts';
import { importPruning } from './contacts/import/kept-rows.ts';
import { contactJobs } from './contacts/jobs.ts';
import { resumeIndexing } from './contacts/search.ts';
import { campaignJobs } from './campaigns/jobs.ts';
import { campaignCalls } from './campaigns/dialing/last-look.ts';
import { knowledgeJobs, knowledgePruning } from './knowledge/jobs.ts';
import type { Extractor } from './knowledge/reading/extractor.ts';
import { numberJobs } from './numbers/jobs.ts';
import { encryptedSipPasswords } from './numbers/number.ts';
import { embeddingBackfill, embeddingJobs, embeddingPruning } from '../search/embeddings/jobs.ts';
import { notificationJobs } from './notifications/jobs.ts';
import { auditSummaries } from './requests/audit-summary.ts';
import { encryptedAnswers } from './requests/idempotency.ts';
import { accessPruning } from './organizations/jobs.ts';
import { requestPruning } from './requests/jobs.ts';
import { webhookJobs, webhookPruning } from './webhooks/jobs.ts';
import { encryptedErasures } from './privacy/erasure.ts';
import { privacyJobs } from './privacy/jobs.ts';
import { contactPruning } from './privacy/retention.ts';
import { encryptedWebhookSecrets } from './webhooks/secrets.ts';

/** Parts that jobs need beyond the App. `jitter` returns a random number from 0 to 1; under a seed, always the same for a name. */
export type JobTools = { carriers: Carriers; extractor: Extractor; jitter: (name: string) => number };

/** The definitions of all jobs, with this installation's settings. */
export const featureJobs = (config: Config, { carriers, extractor, jitter }: JobTools): JobDefinition[] => [
  ...knowledgeJobs(config, extractor),
  ...agentJobs,
  ...contactJobs,
  ...numberJobs,
  ...callJobs(carriers, campaignCalls),
  ...campaignJobs,
  ...embeddingJobs(config),
  ...calendarJobs(config),
  ...webhookJobs(config, { jitter }),
  ...privacyJobs,
  ...notificationJobs,
  requestPruning.job,
  importPruning.job,
  leftOutPruning.job,
  accessPruning.job,
  auditSummaries,
];

/** All tables with texts that are encrypted with the installation's key. */
export const encryptedTables: readonly EncryptedTable[] = [
  encryptedSipPasswords,
  encryptedCalendarKeys,
  encryptedWebhookSecrets,
  encryptedAnswers,
  encryptedErasures,
];

/**
 * Enqueues the nightly jobs, unless they are queued already, and the embedding backfill if the embeddings settings name another model, and
 * goes on with indexing contacts.
 */
export async function startCadences(app: App): Promise<void> {
  const cadences = [
    callPruning,
    contactPruning,
    requestPruning,
    importPruning,
    leftOutPruning,
    accessPruning,
    webhookPruning,
    knowledgePruning,
    embeddingPruning,
    embeddingBackfill,
  ];
  for (const cadence of cadences) await cadence.schedule(app);
  await resumeIndexing(app);
}
