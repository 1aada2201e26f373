/** The topics of notices. */
export const noticeKinds = ['webhook.endpoint_failing', 'carrier.out_of_reach', 'backup.failed'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A message to the people of an organization: stored, logged, and sent by e-mail if a mail server is configured. */
export type Notice = {
  id: string;
  orgId: string;
  kind: NoticeKind;
  subject: string;
  body: string;
  createdAt: number;
  /** When the notice's e-mail was sent; null if it was not sent, or did not have to be. */
  sentAt: number | null;
  /** Why the last attempt to send it failed; null after a success. */
  lastError: string | null;
  /** When somebody of the organization marked it as read. */
  readAt: number | null;
};

/** The same Message-ID on every attempt (RFC 5322, section 3.6.4), so that mail systems recognize a duplicate. */
export function messageIdOf(noticeId: string, sender: string): string {
  const domain = /@([^\s>@]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
  return `<${noticeId}@${domain}>`;
}
