import { hourMs } from '../../base/clock.ts';
import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';

/** Limit on e-mails about one subject within an hour: saving a broken URL again and again must not flood everybody's mailbox. */
const maxPerHour = 3;

/** Counts e-mails about each subject. */
export type NoticeLimit = {
  /** Whether one more e-mail about the subject may be sent now; if so, counts it once the transaction is committed. */
  take(tx: Tx, subject: string, max?: number): boolean;
};

export const noticeLimit = nodeState('notices', ({ clock }: App): NoticeLimit => {
  const recent = new Map<string, number[]>();
  return {
    take(tx, subject, max = maxPerHour) {
      const now = clock.now();
      for (const [key, times] of recent) if (times.at(-1)! <= now - hourMs) recent.delete(key);
      const lately = (): number[] => (recent.get(subject) ?? []).filter((at) => at > now - hourMs);
      if (lately().length >= max) return false;
      onCommit(tx, () => recent.set(subject, [...lately(), now]));
      return true;
    },
  };
});
