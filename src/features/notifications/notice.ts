/** Something that the people of an organization should know: kept, logged, and sent by e-mail where that is set up. */
export type Notice = {
  id: string;
  orgId: string;
  /** What it is about, for programs, such as `webhook.endpoint_failing`. */
  kind: string;
  subject: string;
  body: string;
  createdAt: number;
  /** When its e-mail went out; null while it did not, or need not. */
  sentAt: number | null;
  /** Why the last try to send it failed; null after one that did not. */
  lastError: string | null;
};

/** The same on every try (RFC 5322, section 3.6.4), so that mail systems can tell a repeated notice. */
export function messageIdOf(noticeId: string, sender: string): string {
  const domain = /@([^\s>@]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
  return `<${noticeId}@${domain}>`;
}
