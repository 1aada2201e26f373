import { messageOf } from '../../base/errors.ts';
import { externalJob, type JobDefinition } from '../../kernel/queue.ts';
import { contactDeletion, contactDeletionStart, contactPruning } from './retention.ts';
import { erasePerson, runErasure } from './erasure.ts';

export const privacyJobs: readonly JobDefinition[] = [
  contactPruning.job,
  contactDeletionStart,
  contactDeletion,
  externalJob(erasePerson, {
    pool: { name: 'erasures', maxRunning: 2 },
    laneConcurrency: 1,
    leaseMs: 86_400_000,
    // An erasure is never given up: a person has a right to it.
    retryDelaysMs: Array.from({ length: 1000 }, (_, attempt) => Math.min(3_600_000, 1000 * 2 ** attempt)),
    run: (app, job) => runErasure(app, job.key),
    exhausted(app, _tx, job, error) {
      app.log.error(
        { erasure: job.key, error: messageOf(error) },
        'giving up on an erasure; it begins again at the next start',
      );
      return Promise.resolve();
    },
  }),
];
