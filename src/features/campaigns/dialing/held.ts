import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type CapCode, capsAgainst, capsOn, type CountedCall, countedCalls } from '../../calls/contact-caps.ts';
import { personZone } from '../../contacts/person-zone.ts';
import type { ContactRules, GuardHours } from '../../organizations/contact-rules.ts';
import { contactRulesOf } from '../../organizations/service.ts';
import type { Campaign } from '../campaign.ts';
import { windowOf } from '../schedule/schedule.ts';
import { type CallingWindow, isOpen } from '../schedule/window.ts';
import { nextAllowed } from '../schedule/windows.ts';
import type { Obstacle } from './eligibility.ts';
import type { ReasonCode } from './reason-codes.ts';

/**
 * The limits of calls to one number and the guard hours (docs/calling.md, "Limits of calls to one number"). A contact that they hold back
 * stays pending, and waits as for a retry, so that the queue goes on behind it.
 */

const heldCodes: ReadonlySet<ReasonCode> = new Set(['guard_hours', 'capped_day', 'capped_week', 'gap']);

/** Whether the obstacle is a limit of calls to one number, or the guard hours. */
export const isHold = ({ code }: Obstacle): boolean => heldCodes.has(code);

/** How long a contact is not looked at again whose obstacle does not end by itself. */
const lookAgainMs = 3_600_000;

/** Until when a contact is held back; undefined if it is not. */
export function heldUntil(obstacles: readonly Obstacle[], now: number): number | undefined {
  const held = obstacles.filter(isHold);
  return held.length === 0 ? undefined : Math.max(...held.map(({ until }) => until ?? now + lookAgainMs));
}

/**
 * Set when a contact is held back. By then its wait for the carrier is over; otherwise it would seem to wait for the carrier still, and a
 * lifted limit would not release it.
 */
export const noLongerForCarrier = { unreachable_tries: 0 } as const;

export const guardWindow = ({ start, end, days }: GuardHours, timezone: string): CallingWindow => ({
  timezone,
  windowStart: start,
  windowEnd: end,
  windowDays: days,
});

type Person = { phone: string; /** The contact's own zone; `''` if it has none. */ timezone: string };
/** `ofAttempt`: an attempt is asked about, whose call counts only once the carrier has it; `hasCall`: it has it, so limits are past. */
type Asked = { ofAttempt?: boolean; hasCall?: boolean };

/** The limits and guard hours that keep a campaign from calling a person now. */
export async function heldBy(
  app: App,
  db: Queryable,
  rules: ContactRules | null,
  { orgId, schedule }: Pick<Campaign, 'orgId' | 'schedule'>,
  { phone, timezone }: Person,
  { ofAttempt = false, hasCall = false }: Asked = {},
): Promise<Obstacle[]> {
  if (rules === null) return [];
  const now = app.clock.now();
  const zone = personZone(timezone, phone, schedule.timezone).timezone;
  const guards = rules.guards.map((guard) => guardWindow(guard, zone));
  const held: Obstacle[] = [];
  if (!guards.every((guard) => isOpen(guard, now))) {
    const until = nextAllowed(guards, now);
    const reason = 'It is outside of the hours in which people may be called, in the time zone of the person.';
    held.push({ becomes: 'pending', code: 'guard_hours', reason, ...(until === null ? {} : { until }) });
  }
  if (rules.limits === null || hasCall) return held;
  const caps = await capsOn(db, phone, zone, { orgId, limits: rules.limits, now, handedOver: ofAttempt });
  return [...held, ...caps.map((cap): Obstacle => ({ becomes: 'pending', ...cap }))];
}

/**
 * Tells of some numbers which limit forbids to call them now, or that the guard hours never let the campaign call. `''` is the zone of a
 * contact without one.
 */
export async function holdsOn(
  app: App,
  db: Queryable,
  { orgId, schedule }: Campaign,
  phones: readonly string[],
): Promise<(timezone: string, phone: string) => CapCode | 'guard_hours' | undefined> {
  const rules = await contactRulesOf(app, db, orgId);
  if (rules === null) return () => undefined;
  const now = app.clock.now();
  const { limits, guards } = rules;
  const counted =
    limits === null ? new Map<string, CountedCall[]>() : await countedCalls(db, phones, { orgId, limits, now });
  return (contactZone, phone) => {
    const { timezone } = personZone(contactZone, phone, schedule.timezone);
    const calls = counted.get(phone);
    const cap = limits === null || !calls ? undefined : capsAgainst(limits, calls, timezone, now)[0]?.code;
    if (cap !== undefined || guards.length === 0) return cap;
    const windows = [windowOf({ schedule }, contactZone), ...guards.map((guard) => guardWindow(guard, timezone))];
    return nextAllowed(windows, now) === null ? 'guard_hours' : undefined;
  };
}
