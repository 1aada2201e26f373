import { batchJob } from '../../kernel/batch-job.ts';
import type { JobDefinition } from '../../kernel/queue.ts';
import { forgetAgent, forgetBatch } from './removal.ts';

export const agentJobs: readonly JobDefinition[] = [
  batchJob(forgetAgent, async (app, tx, { key, payload }) =>
    (await forgetBatch(app, tx, payload.orgId, key)) ? undefined : payload,
  ),
];
