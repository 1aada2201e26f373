import type { App } from '../../../kernel/app.ts';
import { pendingZones } from '../contacts/store.ts';
import { windowOf } from '../schedule/schedule.ts';
import { isOpen, nextOpening } from '../schedule/window.ts';
import * as store from './queue-store.ts';
import type { Inquiry } from './why.ts';

/** Of more time zones than this the first are looked at. */
const maxZones = 60;

/** How many contacts are called before one that may be called at `at`, and whether others compete with it for lines. */
export type Queue = { ahead: number; isContested: boolean };

/**
 * Looks at the time zones that open until `at`: due retries go before first attempts, and these go in the order of adding. Nobody competes
 * for a line only if no other contact can be called before `at`, since its retry might then be due, and no other campaign uses the number.
 */
export async function aheadOf(app: App, { campaign, contact, dialing }: Inquiry, at: number): Promise<Queue> {
  if (contact?.status !== 'pending' || !dialing) return { ahead: 0, isContested: false };
  const now = app.clock.now();
  const opensBy = (zone: string): boolean => {
    const window = windowOf(campaign, zone);
    return isOpen(window, now) || (nextOpening(window, now) ?? Infinity) <= at;
  };
  const zones = (await pendingZones(app.db, campaign.id)).filter((zone) => zone.pending > 0 && opensBy(zone.timezone));
  const isRetry = contact.nextRetryAt !== null;
  let [ahead, others] = [0, 0];
  for (const { timezone } of zones.slice(0, maxZones)) {
    const due = await store.retriesDue(app.db, campaign.id, timezone, at);
    const first = (position: number) => store.firstAttemptsBefore(app.db, campaign.id, timezone, position);
    ahead += due + (isRetry ? 0 : await first(contact.position));
    others += due + (await first(Number.MAX_SAFE_INTEGER));
  }
  const self = zones.some(({ timezone }) => timezone === contact.timezone) && (contact.nextRetryAt ?? 0) <= at ? 1 : 0;
  const isLater = at > now;
  const { number } = dialing;
  const hasRivals = number !== undefined && (await store.sharesNumber(app.db, campaign.id, number.id));
  return {
    ahead: Math.min(ahead - (isRetry ? self : 0), store.maxCounted),
    isContested: hasRivals || (isLater && (others > self || campaign.stats.inProgress > 0)),
  };
}
