import type { CallStatus } from '../../calls/call.ts';
import { pauseAfter } from '../../numbers/carrier-pause.ts';
import type { Campaign, Schedule } from '../campaign.ts';
import { windowOf } from '../schedule/schedule.ts';
import { nextOpening } from '../schedule/window.ts';

export type EndedAttempt = {
  status: CallStatus;
  invalidNumber: boolean;
  /** Number of attempts so far, including this one. */
  attemptCount: number;
  endedAt: number;
  /** The contact's own time zone; `''` means the campaign's. */
  zone: string;
};

/** Whether the campaign's present rules allow another attempt after one that ended with this status. */
export const mayRetry = (
  { schedule, retryOn }: Campaign,
  { status, attemptCount }: Pick<EndedAttempt, 'status' | 'attemptCount'>,
): boolean =>
  status !== 'completed' &&
  (retryOn as readonly CallStatus[]).includes(status) &&
  attemptCount <= schedule.retryAttempts;

/** When the contact is called again after this attempt; null if it has no retry (docs/api/campaigns.md, "Dialing and retries"). */
export function retryAt(campaign: Campaign, attempt: EndedAttempt): number | null {
  if (attempt.invalidNumber || campaign.status === 'completed' || !mayRetry(campaign, attempt)) return null;
  return retryOpening(campaign, attempt.zone, attempt.endedAt);
}

/** `retryGapMin` after the call ended, moved to the next opening of the window in that zone; null if it never opens. */
export const retryOpening = (campaign: Campaign, zone: string, endedAt: number): number | null =>
  nextOpening(windowOf(campaign, zone), endedAt + campaign.schedule.retryGapMin * 60_000);

/**
 * Until when a contact waits for a carrier that was out of reach for it; 0 if it does not. When that began is not stored, so the wait is counted
 * from now, but not beyond `nextRetryAt`.
 */
export const carrierWait = (unreachableTries: number, now: number, nextRetryAt = Infinity): number =>
  unreachableTries === 0 ? 0 : Math.min(nextRetryAt, now + pauseAfter(unreachableTries - 1));

/** Whether this change of the schedule changes the instants of waiting retries. */
export const movesRetries = (before: Schedule, after: Schedule): boolean =>
  (['windowStart', 'windowEnd', 'windowDays', 'timezone', 'retryGapMin'] as const).some(
    (field) => String(before[field]) !== String(after[field]),
  );

/** Whether this change of the retry rules may end waiting retries. */
export const endsRetries = (before: Pick<Campaign, 'schedule' | 'retryOn'>, after: typeof before): boolean =>
  after.schedule.retryAttempts < before.schedule.retryAttempts ||
  before.retryOn.some((status) => !after.retryOn.includes(status));
