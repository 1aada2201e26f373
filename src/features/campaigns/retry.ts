import type { CallStatus } from '../calls/call.ts';
import type { Campaign, Schedule } from './campaign.ts';
import { windowOf } from './schedule.ts';
import { nextOpening } from './window.ts';

export type EndedAttempt = {
  status: CallStatus;
  invalidNumber: boolean;
  /** Number of attempts so far, including this one. */
  attemptCount: number;
  endedAt: number;
  /** The contact's own time zone; `''` means the campaign's. */
  zone: string;
};

/** When the contact is called again after this attempt, or null if it is not (contract, section 6, "Retries"). */
export function retryAt(campaign: Campaign, attempt: EndedAttempt): number | null {
  const { retryAttempts } = campaign.schedule;
  if (attempt.status === 'completed' || attempt.invalidNumber || campaign.status === 'completed') return null;
  if (!campaign.retryOn.includes(attempt.status) || attempt.attemptCount > retryAttempts) return null;
  return retryOpening(campaign, attempt.zone, attempt.endedAt);
}

/** `retryGapMin` after the call ended, moved to the next opening of the window in that zone; null if it never opens. */
export const retryOpening = (campaign: Campaign, zone: string, endedAt: number): number | null =>
  nextOpening(windowOf(campaign, zone), endedAt + campaign.schedule.retryGapMin * 60_000);

/** Whether this change of the schedule changes the instants of waiting retries. */
export const movesRetries = (before: Schedule, after: Schedule): boolean =>
  (['windowStart', 'windowEnd', 'windowDays', 'timezone', 'retryGapMin'] as const).some(
    (field) => String(before[field]) !== String(after[field]),
  );
