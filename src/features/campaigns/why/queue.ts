import { minuteMs } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { pendingZones } from '../contacts/store.ts';
import { startOf, windowOf } from '../schedule/schedule.ts';
import { type CallingWindow, closesAt, isOpen, nextOpening } from '../schedule/window.ts';
import * as store from './queue-store.ts';
import type { Callable } from './queue-store.ts';
import type { Inquiry } from './why.ts';

/** Of more time zones than this the first are looked at. */
const maxZones = 60;

/** The contacts that are called before one that may be called at an instant, and whether others compete with it for lines. */
export type Queue = { ahead: readonly Callable[]; isContested: boolean };

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
 * Of time zones that are open at `at`, due retries go before first attempts, and these go in the order of adding. Nobody competes for a line
 * only if no other contact can be called before `at`, since its retry might then be due, and no other campaign uses the number.
 */
export async function queueBefore(app: App, { campaign, contact, dialing }: Inquiry, at: number): Promise<Queue> {
  const now = app.clock.now();
  if (contact?.status !== 'pending' || !dialing) return { ahead: [], isContested: false };
  const start = Math.max(now, startOf(campaign.schedule) ?? now);
  const opensBy = (zone: string): boolean => {
    const window = windowOf(campaign, zone);
    return isOpen(window, now) || (nextOpening(window, now) ?? Infinity) <= at;
  };
  const zones = (await pendingZones(app.db, campaign.id)).filter((zone) => zone.pending > 0 && opensBy(zone.timezone));
  const ahead: Callable[] = [];
  let others = 0;
  for (const { timezone } of zones.slice(0, maxZones)) {
    const isOwn = timezone === contact.timezone;
    const due = withoutOne(
      await store.retriesDue(app.db, campaign.id, timezone, at),
      isOwn ? contact.nextRetryAt : null,
    );
    const first = (position: number) => store.firstAttemptsBefore(app.db, campaign.id, timezone, position);
    const opened = openSince(windowOf(campaign, timezone), start, at);
    if (opened !== null) {
      ahead.push(...due.map(({ from, calls }) => ({ from: Math.max(opened, from), calls })));
      if (contact.nextRetryAt === null) ahead.push({ from: opened, calls: await first(contact.position) });
    }
    const isFirstItself = isOwn && contact.nextRetryAt === null ? 1 : 0;
    others += callsOf(due) + (await first(Number.MAX_SAFE_INTEGER)) - isFirstItself;
  }
  const isLater = at > now;
  const { number } = dialing;
  const hasRivals = number !== undefined && (await store.sharesNumber(app.db, campaign.id, number.id));
  return {
    ahead: ahead.filter(({ calls }) => calls > 0),
    isContested: hasRivals || (isLater && (others > 0 || campaign.stats.inProgress > 0)),
  };
}

const callsOf = (groups: readonly Callable[]): number => groups.reduce((sum, { calls }) => sum + calls, 0);

/** How many contacts are called before, counted up to 10,000. */
export const callsAhead = ({ ahead }: Queue): number => Math.min(callsOf(ahead), store.maxCounted);

/** The groups without one contact, whose retry falls due at `dueAt`. */
const withoutOne = (groups: readonly Callable[], dueAt: number | null): Callable[] =>
  groups.map(({ from, calls }) => ({
    from,
    calls: dueAt !== null && dueAt - (dueAt % minuteMs) === from ? calls - 1 : calls,
  }));

/** When the last of the contacts ahead has been called, none before its own instant. `lasts`: how long (ms) it takes to start a number of calls. */
export function endOfQueue(ahead: readonly Callable[], lasts: (calls: number) => number): number {
  let end = 0;
  for (const { from, calls } of ahead.toSorted((a, b) => a.from - b.from)) end = Math.max(end, from) + lasts(calls);
  return end;
}
