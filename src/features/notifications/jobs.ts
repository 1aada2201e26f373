import { hourMs, minuteMs } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { type Completion, externalJob, type JobDefinition, nothingToWrite } from '../../kernel/queue.ts';
import { organizationOf } from '../organizations/service.ts';
import { mailServerOf, send } from './email.ts';
import { mailLink, sendLink } from './link-email.ts';
import { sendEmail } from './service.ts';
import { noticeById, setLastError, setSent } from './store.ts';

const mailing = {
  pool: { name: 'email', maxRunning: 8 },
  laneConcurrency: 1,
  leaseMs: 5 * minuteMs,
  retryDelaysMs: [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs],
};

export const notificationJobs: JobDefinition[] = [
  externalJob(sendEmail, {
    ...mailing,
    run: (app, job, signal) => sendNotice(app, job.key, signal),
    exhausted(app, _tx, job, error) {
      app.log.error({ notice: job.key, error: messageOf(error) }, 'giving up on an e-mail; its notice stays stored');
      return Promise.resolve();
    },
  }),
  externalJob(sendLink, {
    ...mailing,
    run: (app, job, signal) => mailLink(app, job.key, job.payload, signal),
    exhausted(app, _tx, job, error) {
      app.log.error(
        { user: job.key, error: messageOf(error) },
        'giving up on the e-mail with a link; make another link',
      );
      return Promise.resolve();
    },
  }),
];

/** Runs at least once: after a crash the e-mail is sent again with the same Message-ID, by which mail systems recognize a duplicate. */
async function sendNotice(app: App, noticeId: string, signal: AbortSignal): Promise<Completion> {
  const notice = await noticeById(app.db, noticeId);
  const mailServer = mailServerOf(app.config);
  if (!notice || notice.sentAt !== null || !mailServer) return nothingToWrite;
  const { notificationEmails } = await organizationOf(app.db, notice.orgId);
  if (notificationEmails.length === 0) return nothingToWrite;
  try {
    await send(app, mailServer, notice, notificationEmails, signal);
  } catch (error) {
    await setLastError(app.db, notice.id, messageOf(error));
    throw error;
  }
  return { write: (tx) => setSent(tx, notice.id, app.clock.now()) };
}
