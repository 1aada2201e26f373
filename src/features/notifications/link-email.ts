import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { type Completion, enqueue, jobKind, nothingToWrite } from '../../kernel/queue.ts';
import type { PersonLinked } from '../organizations/people/events.ts';
import { currentLink } from '../organizations/people/links.ts';
import { mailServerOf, send } from './email.ts';
import { noticeLimit } from './notice-limit.ts';
import { emailLaneOf } from './service.ts';

/** The payload of the job. The link is encrypted, because a copy of the database alone must not let anybody in. */
type LinkEmail = { email: string; isInvited: boolean; encryptedLink: string; messageId: string; createdAt: number };

/** E-mails a person their link. The job's key is the person's id, so that a newer link replaces one that was not sent yet. */
export const sendLink = jobKind<LinkEmail>('email.send_link');

/** Limit on links that an organization e-mails within an hour, so that nobody uses the operator's mail server to flood strangers. */
const maxLinksPerHour = 200;

const contextOf = (userId: string): string => `setup_links:${userId}`;

/**
 * E-mails a person the link with which they set a password, if a mail server is configured. The message is not stored as a notice, because
 * the whole organization can read notices.
 */
export async function onPersonLinked(app: App, tx: Tx, { orgId, userId, email, isInvited, link }: PersonLinked) {
  if (!mailServerOf(app.config)) return;
  if (!mayMail(app, tx, orgId, email)) {
    app.log.warn(
      { orgId, user: userId },
      'too many links were e-mailed within an hour; this one is in the answer alone',
    );
    return;
  }
  const createdAt = app.clock.now();
  const encryptedLink = app.secrets.encrypt(link, contextOf(userId));
  const payload: LinkEmail = { email, isInvited, encryptedLink, messageId: app.ids.make(), createdAt };
  await enqueue(app, tx, sendLink, { key: userId, lane: emailLaneOf(orgId), dueAt: createdAt, payload });
}

/** Counts by the address, because a person can be removed and invited again. */
const mayMail = (app: App, tx: Tx, orgId: string, email: string): boolean =>
  noticeLimit(app).take(tx, `link to ${email}`) && noticeLimit(app).take(tx, `links of ${orgId}`, maxLinksPerHour);

/** Runs at least once: after a crash the message is sent again with the same Message-ID, by which mail systems recognize a duplicate. */
export async function mailLink(app: App, userId: string, job: LinkEmail, signal: AbortSignal): Promise<Completion> {
  const mailServer = mailServerOf(app.config);
  const link = await currentLink(app, app.secrets.decrypt(job.encryptedLink, contextOf(userId)));
  if (!mailServer || link === undefined) return nothingToWrite;
  const message = { id: job.messageId, createdAt: job.createdAt, ...textsOf(job.isInvited, link) };
  await send(app, mailServer, message, [job.email], signal);
  return nothingToWrite;
}

const textsOf = (isInvited: boolean, link: string): { subject: string; body: string } => ({
  subject: isInvited ? 'You are invited to parley' : 'Your link to set a new password for parley',
  body: [
    isInvited
      ? 'An administrator has invited you to parley. Open this link to choose a password:'
      : 'An administrator made this link for you. Open it to choose a new password for parley:',
    link,
    'It works once, and for 72 hours. If it has expired, ask an administrator for a new one.',
    'If you did not expect this message, ignore it: nothing changes until the link is used.',
  ].join('\n\n'),
});
