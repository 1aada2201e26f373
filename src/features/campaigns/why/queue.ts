import type { App } from '../../../kernel/app.ts';
import { pendingZones } from '../contacts/store.ts';
import { startOf, windowOf } from '../schedule/schedule.ts';
import { type CallingWindow, closesAt, isOpen, nextOpening } from '../schedule/window.ts';
import * as store from './queue-store.ts';
import type { Inquiry } from './why.ts';

/** Of more time zones than this the first are looked at. */
const maxZones = 60;

/** How many contacts are called before one that may be called at `at`, since when, and whether others compete with it for lines. */
export type Queue = { ahead: number; since: number; isContested: boolean };

/** When the opening begins that a window has at `at`, but not before `from`; null if it is closed then. */
function openSince(window: CallingWindow, from: number, at: number): number | null {
  if (!isOpen(window, at)) return null;
  let since = from;
  while (since < at) {
    if (isOpen(window, since)) {
      const end = closesAt(window, since);
      if (end === null || end > at) return since;
      since = end;
    } else since = nextOpening(window, since) ?? at;
  }
  return at;
}

/**
 * Looks at the time zones that are open at `at`: due retries go before first attempts, and these go in the order of adding. Nobody competes
 * for a line only if no other contact can be called before `at`, since its retry might then be due, and no other campaign uses the number.
 */
export async function aheadOf(app: App, { campaign, contact, dialing }: Inquiry, at: number): Promise<Queue> {
  const now = app.clock.now();
  if (contact?.status !== 'pending' || !dialing) return { ahead: 0, since: at, isContested: false };
  const start = Math.max(now, startOf(campaign.schedule) ?? now);
  const opensBy = (zone: string): boolean => {
    const window = windowOf(campaign, zone);
    return isOpen(window, now) || (nextOpening(window, now) ?? Infinity) <= at;
  };
  const zones = (await pendingZones(app.db, campaign.id)).filter((zone) => zone.pending > 0 && opensBy(zone.timezone));
  const isRetry = contact.nextRetryAt !== null;
  let [ahead, others, since] = [0, 0, at];
  for (const { timezone } of zones.slice(0, maxZones)) {
    const due = await store.retriesDue(app.db, campaign.id, timezone, at);
    const first = (position: number) => store.firstAttemptsBefore(app.db, campaign.id, timezone, position);
    const opened = openSince(windowOf(campaign, timezone), start, at);
    const before = opened === null ? 0 : due + (isRetry ? 0 : await first(contact.position));
    if (opened !== null && before > 0) since = Math.min(since, opened);
    ahead += before;
    others += due + (await first(Number.MAX_SAFE_INTEGER));
  }
  const self = zones.some(({ timezone }) => timezone === contact.timezone) && (contact.nextRetryAt ?? 0) <= at ? 1 : 0;
  const isLater = at > now;
  const { number } = dialing;
  const hasRivals = number !== undefined && (await store.sharesNumber(app.db, campaign.id, number.id));
  return {
    ahead: Math.min(ahead - (isRetry ? self : 0), store.maxCounted),
    since,
    isContested: hasRivals || (isLater && (others > self || campaign.stats.inProgress > 0)),
  };
}
