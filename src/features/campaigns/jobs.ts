import { type JobDefinition, transactionalJob } from '../../kernel/queue.ts';
import { expireBatch } from './completion.ts';
import { tick } from './dialer.ts';
import { campaignEnd, campaignTick, expireContacts, rescheduleRetries } from './kinds.ts';
import { rescheduleBatch } from './rescheduling.ts';
import { onEnd } from './service.ts';

export const campaignJobs: readonly JobDefinition[] = [
  transactionalJob(campaignTick, (app, tx, { payload }) => tick(app, tx, payload.campaignId)),
  transactionalJob(campaignEnd, (app, tx, { payload }) => onEnd(app, tx, payload.campaignId)),
  transactionalJob(expireContacts, (app, tx, { payload }) => expireBatch(app, tx, payload.campaignId)),
  transactionalJob(rescheduleRetries, (app, tx, { payload }) => rescheduleBatch(app, tx, payload)),
];
