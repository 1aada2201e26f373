import { hourMs } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { type Cap, capCodes, capsAgainst, type CountedCall, countedCalls } from '../../calls/contact-caps.ts';
import { slotFrom } from '../../calls/pacing.ts';
import { personZone } from '../../contacts/person-zone.ts';
import { contactRulesOf } from '../../organizations/service.ts';
import { nextStartAfter } from '../dialing/capacity.ts';
import { retryAt } from '../dialing/retry.ts';
import { planFactsOf } from '../plan/cache.ts';
import { paceOf } from '../plan/past.ts';
import { endOf, startOf, windowOf } from '../schedule/schedule.ts';
import { commonOpenings, nextAllowed } from '../schedule/windows.ts';
import { limitsOf } from '../service.ts';
import { endOfQueue, queueBefore } from './queue.ts';
import { type Inquiry, windowsOf } from './why.ts';

export const laneNames = ['window', 'retry', 'do_not_call', 'status', 'limits'] as const;
export const spanStates = ['open', 'closed', 'held'] as const;

/** `held`: until somebody or something ends it, which no clock tells. */
type State = (typeof spanStates)[number];
export type Span = { from: number; to: number; state: State };
export type Ring = { at: number; attempt: number; estimate: boolean };

/** The next hours of a contact: what is open when, and when it rings. */
export type Strip = {
  from: number;
  to: number;
  lanes: Array<{ lane: (typeof laneNames)[number]; spans: Span[] }>;
  rings: Ring[];
};

/** How long a telephone rings that nobody answers. */
const assumedRingMs = 30_000;

export async function stripOf(app: App, inquiry: Inquiry, hours: number): Promise<Strip> {
  const from = app.clock.now();
  const to = from + hours * hourMs;
  const rings = (await ringsOf(app, inquiry, from, to)).filter(({ at }) => at < to);
  const whole = (state: State): Span[] => [{ from, to, state }];
  const untilThen = (at: number, state: State): Span[] => split(from, to, at, state);
  const { contact, campaign, obstacles } = inquiry;
  const isWaiting = contact?.status === 'pending';
  const isForbidden = inquiry.reasons.some(({ code }) => code === 'do_not_call');
  const held = obstacles.some(({ bottleneck }) => bottleneck !== undefined);
  const capped = Math.max(0, ...obstacles.filter(isCap).map(({ until = 0 }) => until));
  // The dialer lets a contact that a limit holds back wait as for a retry.
  const retry = isWaiting && (contact.nextRetryAt ?? 0) > capped ? contact.nextRetryAt! : 0;
  return {
    from,
    to,
    lanes: [
      { lane: 'window', spans: await windowSpans(app, inquiry, from, to) },
      { lane: 'retry', spans: untilThen(retry, 'closed') },
      { lane: 'do_not_call', spans: whole(isForbidden ? 'held' : 'open') },
      { lane: 'status', spans: statusSpans(inquiry, from, to) },
      {
        lane: 'limits',
        spans: held
          ? untilThen(rings[0]?.at ?? to, 'held')
          : untilThen(isWaiting ? Math.max(campaign.paceAt, capped) : 0, 'closed'),
      },
    ],
    rings,
  };
}

/** Whether a limit of calls to one number holds the contact back. */
const isCap = ({ code }: Inquiry['obstacles'][number]): boolean => (capCodes as readonly string[]).includes(code);

/** A state until an instant, and open from then on. */
function split(from: number, to: number, at: number, state: State): Span[] {
  const until = Math.min(Math.max(Math.ceil(at), from), to);
  const spans: Span[] = [
    { from, to: until, state },
    { from: until, to, state: 'open' },
  ];
  return spans.filter((span) => span.from < span.to);
}

async function windowSpans(app: App, { campaign, contact }: Inquiry, from: number, to: number): Promise<Span[]> {
  const spans: Span[] = [];
  let at = from;
  const windows = contact ? await windowsOf(app, campaign, contact) : [windowOf(campaign, '')];
  for (const { opensAt, closesAt } of commonOpenings(windows, from, to)) {
    if (opensAt > at) spans.push({ from: at, to: opensAt, state: 'closed' });
    spans.push({ from: opensAt, to: closesAt, state: 'open' });
    at = closesAt;
  }
  return at < to ? [...spans, { from: at, to, state: 'closed' }] : spans;
}

/** Obstacles that concern the campaign, its agent and number or the whole organization, and no clock ends. */
const statusCodes = new Set<string>([
  'calling_stopped',
  'campaign_not_running',
  'agent_inactive',
  'no_active_number',
  'no_more_retries',
]);

function statusSpans({ campaign, contact, obstacles }: Inquiry, from: number, to: number): Span[] {
  if (contact?.status === 'in_progress') return [{ from, to, state: 'held' }];
  if (contact?.status !== 'pending') return [{ from, to, state: 'closed' }];
  if (obstacles.some(({ code }) => statusCodes.has(code))) return [{ from, to, state: 'held' }];
  const opens = Math.min(Math.max(startOf(campaign.schedule) ?? from, from), to);
  const closes = Math.min(Math.max(endOf(campaign.schedule) ?? to, opens), to);
  const spans: Span[] = [
    { from, to: opens, state: 'closed' },
    { from: opens, to: closes, state: 'open' },
    { from: closes, to, state: 'closed' },
  ];
  return spans.filter((span) => span.from < span.to);
}

/** The next attempt, and those that follow if nobody answers. */
async function ringsOf(app: App, inquiry: Inquiry, now: number, to: number): Promise<Ring[]> {
  const { contact, campaign } = inquiry;
  const first = contact?.status === 'pending' ? await nextRing(app, inquiry) : null;
  if (!contact || (first === null && contact.status !== 'in_progress')) return [];
  const rings: Ring[] = first === null ? [] : [first];
  const allowedFrom = await allowance(app, inquiry, now);
  // A call that lasts is counted already.
  let isLive = first === null;
  let last = first ?? { at: contact.lastAttemptedAt ?? now, attempt: contact.attemptCount };
  for (;;) {
    const ended = { status: 'no_answer', invalidNumber: false, attemptCount: last.attempt } as const;
    const endedAt = Math.max(last.at + assumedRingMs, now);
    const due = retryAt(campaign, { ...ended, endedAt, zone: contact.timezone });
    const at = due === null ? null : allowedFrom(due, isLive ? null : { at: last.at, endedAt });
    isLive = false;
    if (at === null || at >= Math.min(to, endOf(campaign.schedule) ?? Infinity)) return rings;
    last = { at, attempt: last.attempt + 1 };
    rings.push({ ...last, estimate: true });
  }
}

/** Each ring that limits move passes at most the gap, the day and the week, and the hours between them. */
const maxMoves = 16;

/**
 * Tells of an instant when window, guard hours and the limits of calls to one number next let the person be called; null if they never do. Limits
 * also count the attempts that it was told of.
 */
async function allowance(app: App, { campaign, contact }: Inquiry, now: number) {
  const rules = await contactRulesOf(app, app.db, campaign.orgId);
  const { phone, timezone } = contact!;
  const windows = await windowsOf(app, campaign, contact!);
  const limits = rules?.limits ?? null;
  const zone = personZone(timezone, phone, campaign.schedule.timezone).timezone;
  const found = limits && (await countedCalls(app.db, [phone], { orgId: campaign.orgId, limits, now }));
  const calls = [...(found?.get(phone) ?? [])];
  return (from: number, ended: CountedCall | null): number | null => {
    if (ended) calls.push(ended);
    let at: number | null = from;
    for (let move = 0; move < maxMoves && at !== null; move++) {
      const open: number | null = nextAllowed(windows, at);
      const caps: Cap[] = open === null || limits === null ? [] : capsAgainst(limits, calls, zone, open);
      if (open === null || caps.length === 0) return open;
      at = Math.max(...caps.map(({ until }) => until));
    }
    return null;
  };
}

async function nextRing(app: App, inquiry: Inquiry): Promise<Ring | null> {
  const { campaign, contact, dialing, obstacles, nextAttemptAt } = inquiry;
  if (!contact || !dialing || nextAttemptAt === null) return null;
  const { ahead, isContested } = await queueBefore(app, inquiry, nextAttemptAt);
  const isHeld = dialing.carrier.pause !== null || obstacles.some(({ bottleneck }) => bottleneck !== undefined);
  const paces = [campaign.paceAt, dialing.number?.paceAt ?? 0, dialing.org.paceAt];
  const from = slotFrom(nextAttemptAt, paces);
  const at =
    ahead.length === 0 ? from : Math.max(from, slotFrom(endOfQueue(ahead, await startsOf(app, inquiry)), paces));
  const opening = at === from ? at : nextAllowed(await windowsOf(app, campaign, contact), at);
  if (opening === null || opening >= (endOf(campaign.schedule) ?? Infinity)) return null;
  return { at: opening, attempt: contact.attemptCount + 1, estimate: ahead.length > 0 || isContested || isHeld };
}

/** Returns a function that says how long (ms) it takes to start a number of calls at the campaign's pace. */
async function startsOf(app: App, { campaign }: Inquiry): Promise<(calls: number) => number> {
  const rules = await contactRulesOf(app, app.db, campaign.orgId);
  const { past } = await planFactsOf(app, campaign, rules);
  const pace = paceOf(await limitsOf(app, campaign), past);
  return (calls) => nextStartAfter(pace, calls);
}
