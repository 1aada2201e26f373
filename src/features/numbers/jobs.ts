import { type JobDefinition, transactionalJob } from '../../kernel/queue.ts';
import { carrierNotice, noticePauses } from './carrier-reach.ts';

export const numberJobs: readonly JobDefinition[] = [
  transactionalJob(carrierNotice, (app, tx, { payload }) => noticePauses(app, tx, payload.orgId)),
];
