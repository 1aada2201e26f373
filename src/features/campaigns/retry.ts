import type { CallStatus } from '../calls/call.ts';
import type { Campaign, Schedule } from './campaign.ts';
import { windowOf } from './schedule.ts';
import { nextOpening } from './window.ts';

export type EndedAttempt = {
  status: CallStatus;
  invalidNumber: boolean;
  /** Attempts made, this one included. */
  attemptCount: number;
  endedAt: number;
  /** The contact's own zone, or `''`. */
  zone: string;
};

/**
 * When a contact is called again: `retryGapMin` after the call ended, moved to the next opening of its window; null when it is
 * not (contract, section 6, "Retries").
 */
export function retryAt(campaign: Campaign, attempt: EndedAttempt): number | null {
  const { retryAttempts } = campaign.schedule;
  if (attempt.status === 'completed' || attempt.invalidNumber || campaign.status === 'completed') return null;
  if (!campaign.retryOn.includes(attempt.status) || attempt.attemptCount > retryAttempts) return null;
  return retryOpening(campaign, attempt.zone, attempt.endedAt);
}

/** `retryGapMin` after a call ended, moved to the next opening of the window in a zone; null when it never opens. */
export const retryOpening = (campaign: Campaign, zone: string, endedAt: number): number | null =>
  nextOpening(windowOf(campaign, zone), endedAt + campaign.schedule.retryGapMin * 60_000);

/** Whether a change of the schedule moves retries that wait. */
export const movesRetries = (before: Schedule, after: Schedule): boolean =>
  (['windowStart', 'windowEnd', 'windowDays', 'timezone', 'retryGapMin'] as const).some(
    (field) => String(before[field]) !== String(after[field]),
  );
