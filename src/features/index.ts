import type { Config } from '../base/config/schema.ts';
import type { App } from '../kernel/app.ts';
import type { JobDefinition } from '../kernel/queue.ts';
import type { Route } from '../kernel/route.ts';
import type { SealedTable } from '../kernel/sealed.ts';
import { agentRoutes } from './agents/routes.ts';
import { calendarJobs } from './calendar/jobs.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { sealedAccounts } from './calendar/connection.ts';
import type { Carrier } from './calls/carriers/carrier.ts';
import { callEventRoutes } from './calls/carriers/http/event-routes.ts';
import { callJobs } from './calls/jobs.ts';
import { callKnowledgeRoutes } from './calls/carriers/http/knowledge-routes.ts';
import { callRoutes } from './calls/routes.ts';
import { campaignJobs } from './campaigns/jobs.ts';
import { memberRoutes } from './campaigns/campaign-contacts-routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { contactCsvRoutes } from './contacts/csv/routes.ts';
import { doNotCallRoutes } from './contacts/do-not-call-routes.ts';
import { documentRoutes } from './knowledge/document-routes.ts';
import { knowledgeJobs, knowledgePruning } from './knowledge/jobs.ts';
import { knowledgeRoutes } from './knowledge/routes.ts';
import { sourceRoutes } from './knowledge/source-routes.ts';
import type { Extractor } from './knowledge/reading/extractor.ts';
import { noteRoutes } from './contacts/notes-routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { sealedNumbers } from './numbers/number.ts';
import { numberRoutes } from './numbers/routes.ts';
import { embeddingCadence, retrievalJobs, retrievalPruning } from '../search/embeddings/jobs.ts';
import { notificationJobs } from './notifications/jobs.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { sealedAnswers } from './requests/idempotency.ts';
import { requestPruning } from './requests/jobs.ts';
import { requestRoutes } from './requests/routes.ts';
import { webhookJobs, webhookPruning } from './webhooks/jobs.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { sealedWebhookSecrets } from './webhooks/secrets.ts';

/** The whole interface. Each row of these tables is an operation: method, path, schemas, role, what it calls. */
export const featureRoutes: readonly Route[] = [
  ...organizationRoutes,
  ...catalogRoutes,
  ...knowledgeRoutes,
  ...sourceRoutes,
  ...documentRoutes,
  ...agentRoutes,
  ...contactRoutes,
  ...contactCsvRoutes,
  ...noteRoutes,
  ...doNotCallRoutes,
  ...numberRoutes,
  ...callRoutes,
  ...callEventRoutes,
  ...callKnowledgeRoutes,
  ...campaignRoutes,
  ...memberRoutes,
  ...calendarRoutes,
  ...webhookRoutes,
  ...notificationRoutes,
  ...requestRoutes,
];

/** What durable work reaches the outside with. `jitter` draws from 0 to 1. */
export type JobTools = { carrier: Carrier; extractor: Extractor; jitter: () => number };

/** All durable work, bound to this installation's settings. */
export const featureJobs = (config: Config, { carrier, extractor, jitter }: JobTools): JobDefinition[] => [
  ...knowledgeJobs(config, extractor),
  ...callJobs(carrier),
  ...campaignJobs,
  ...retrievalJobs(config),
  ...calendarJobs(config),
  ...webhookJobs(config, { jitter }),
  ...notificationJobs,
  requestPruning.job,
];

/** Everything that is stored under the installation's sealing key. */
export const sealedTables: readonly SealedTable[] = [
  sealedNumbers,
  sealedAccounts,
  sealedWebhookSecrets,
  sealedAnswers,
];

/** Makes sure that the work which repeats by itself is in the queue. */
export async function startCadences(app: App): Promise<void> {
  const cadences = [requestPruning, webhookPruning, knowledgePruning, retrievalPruning, embeddingCadence];
  for (const cadence of cadences) await cadence.schedule(app);
}
