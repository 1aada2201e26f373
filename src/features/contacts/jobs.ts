import { batchJob } from '../../kernel/batch-job.ts';
import type { JobDefinition } from '../../kernel/queue.ts';
import { forgetBatch, forgetContact } from './removal.ts';

export const contactJobs: readonly JobDefinition[] = [
  batchJob(forgetContact, async (app, tx, { key, payload }) =>
    (await forgetBatch(app, tx, payload.orgId, key)) ? undefined : payload,
  ),
];
