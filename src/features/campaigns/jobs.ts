import { batchJob } from '../../kernel/batch-job.ts';
import { type JobDefinition, transactionalJob } from '../../kernel/queue.ts';
import { wakeWaiting } from './dialing/capacity-queue.ts';
import { expireBatch } from './completion.ts';
import { tick } from './dialing/dialer.ts';
import {
  campaignEnd,
  campaignTick,
  campaignWindow,
  expireContacts,
  lookForLine,
  followContact,
  joinContacts,
  removeCampaign,
  reopenContacts,
  rescheduleRetries,
} from './kinds.ts';
import { removeBatch } from './removal.ts';
import { reopenBatch } from './reopening.ts';
import { joinNextPart } from './contacts/joining.ts';
import { rescheduleBatch } from './contacts/rescheduling.ts';
import { onEnd } from './service.ts';
import { followBatch } from './subscribers.ts';
import { onWindowBound } from './schedule/window-events.ts';

export const campaignJobs: readonly JobDefinition[] = [
  transactionalJob(campaignTick, (app, tx, { payload }) => tick(app, tx, payload.campaignId)),
  transactionalJob(lookForLine, (app, tx, { key }) => wakeWaiting(app, tx, key)),
  transactionalJob(campaignEnd, (app, tx, { payload }) => onEnd(app, tx, payload.campaignId)),
  transactionalJob(campaignWindow, (app, tx, { key, payload }) => onWindowBound(app, tx, key, payload.opens)),
  batchJob(expireContacts, async (_app, tx, { payload, rows }) =>
    (await expireBatch(tx, payload.campaignId, rows)) ? payload : undefined,
  ),
  batchJob(reopenContacts, async (app, tx, { payload, rows }) =>
    (await reopenBatch(app, tx, payload.campaignId, rows)) ? payload : undefined,
  ),
  batchJob(followContact, (app, tx, { key, payload }) => followBatch(app, tx, key, payload)),
  batchJob(removeCampaign, async (_app, tx, { key, rows }) => ((await removeBatch(tx, key, rows)) ? {} : undefined)),
  transactionalJob(joinContacts, (app, tx, { key, payload }) => joinNextPart(app, tx, key, payload)),
  transactionalJob(rescheduleRetries, (app, tx, { payload }) => rescheduleBatch(app, tx, payload)),
];
