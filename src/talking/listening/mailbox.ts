import type { Heard } from './hearing.ts';

/** A mailbox that has not beeped is taken to record after this much silence. */
const silenceMs = 2000;

/** Says when a mailbox records: after its tone, after 2 s of silence, or when nothing of that happened for `waitMs`. Has no clock. */
export type MailboxWait = {
  /** Takes what was heard up to an instant, in milliseconds. @returns whether the message may begin */
  take(atMs: number, heard: Heard): boolean;
};

/** `startMs`: the instant at which the mailbox was recognized. `heard`: what was heard then. */
export function waitForMailbox(startMs: number, waitMs: number, heard: Heard): MailboxWait {
  let isToneHeard = heard.isTone;
  let lastSoundAtMs = startMs;
  return {
    take(atMs, { speechMs, isTone }) {
      if (isTone) isToneHeard = true;
      if (isTone || speechMs > 0) lastSoundAtMs = atMs;
      const isToneOver = isToneHeard && !isTone;
      return isToneOver || atMs - lastSoundAtMs >= silenceMs || atMs - startMs >= waitMs;
    },
  };
}
