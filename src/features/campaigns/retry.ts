import type { CallStatus } from '../calls/call.ts';
import type { Campaign } from './campaign.ts';
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
  const { retryAttempts, retryGapMin } = campaign.schedule;
  if (attempt.status === 'completed' || attempt.invalidNumber || campaign.status === 'completed') return null;
  if (!campaign.retryOn.includes(attempt.status) || attempt.attemptCount > retryAttempts) return null;
  return nextOpening(windowOf(campaign, attempt.zone), attempt.endedAt + retryGapMin * 60_000);
}
