import type { App } from '../../../kernel/app.ts';
import type { CallStatus } from '../../calls/call.ts';
import { findCall } from '../../calls/service.ts';
import { nameOf } from '../../contacts/contact.ts';
import { type DoNotCallState, doNotCallStateOf } from '../../contacts/do-not-call-state.ts';
import { findContacts } from '../../contacts/service.ts';
import { organizationOf } from '../../organizations/service.ts';
import type { Bottleneck } from '../campaign.ts';
import type { ReasonCode } from '../dialing/reason-codes.ts';
import { windowOf } from '../schedule/schedule.ts';
import { callsAhead, queueBefore } from './queue.ts';
import type { Inquiry } from './why.ts';

/** The facts behind an answer to "why is this contact not called now?" (docs/api/campaigns.md, "Plan and why"). */
export type Explanation = {
  /** The first reason; null if the contact may be called now. */
  code: ReasonCode | null;
  atMostUntil: number | null;
  window: {
    start: string | null;
    end: string | null;
    days: readonly number[];
    timezone: string;
    source: 'contact' | 'campaign';
    localTime: string;
  };
  doNotCall: DoNotCallState | null;
  retry: {
    lastOutcome: CallStatus | null;
    endedAt: number | null;
    notBefore: number | null;
    attempt: number;
    attemptsAllowed: number;
  } | null;
  limits: { heldBy: Bottleneck | null; inFlight: number; allowed: number; ahead: number };
  carrier: { pausedUntil: number; lastError: string } | null;
  subject: Subject | null;
};

export const subjectKinds = ['campaign', 'agent', 'number', 'contact', 'organization', 'call'] as const;
/** The thing to look at. */
export type Subject = { kind: (typeof subjectKinds)[number]; id: string; name: string | null };

export async function explain(app: App, inquiry: Inquiry): Promise<Explanation> {
  const { dialing, obstacles, reasons } = inquiry;
  const [first] = obstacles;
  const until = first?.bottleneck === undefined ? first?.until : undefined;
  const pause = dialing?.carrier.pause ?? null;
  return {
    code: reasons[0]?.code ?? null,
    atMostUntil: until === undefined || !Number.isFinite(until) ? null : until,
    window: await windowFacts(app, inquiry),
    doNotCall: await doNotCallFacts(app, inquiry),
    retry: await retryFacts(app, inquiry),
    limits: { ...limitFacts(app, inquiry), ahead: callsAhead(await queueBefore(app, inquiry, app.clock.now())) },
    carrier: pause && { pausedUntil: pause.probeAt, lastError: pause.reason },
    subject: await subjectOf(app, inquiry, reasons[0]?.code ?? null),
  };
}

async function windowFacts(app: App, { campaign, contact, contactId }: Inquiry): Promise<Explanation['window']> {
  const [person] = contact || contactId === null ? [] : await findContacts(app.db, campaign.orgId, [contactId]);
  const own = contact?.timezone ?? person?.timezone ?? '';
  const { timezone, windowStart, windowEnd, windowDays } = windowOf(campaign, own);
  const local = Temporal.Instant.fromEpochMilliseconds(app.clock.now()).toZonedDateTimeISO(timezone);
  return {
    start: windowStart,
    end: windowEnd,
    days: windowDays,
    timezone,
    source: own === '' ? 'campaign' : 'contact',
    localTime: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

async function doNotCallFacts(app: App, { campaign, contact, contactId }: Inquiry): Promise<DoNotCallState | null> {
  const [person] = contact || contactId === null ? [] : await findContacts(app.db, campaign.orgId, [contactId]);
  const called = { phone: contact?.phone ?? person?.phone ?? null, contactId };
  const state = (await doNotCallStateOf(app.db, campaign.orgId, [called], (each) => each))(called);
  return state.first === null ? null : state;
}

async function retryFacts(app: App, { campaign, contact }: Inquiry): Promise<Explanation['retry']> {
  if (!contact || contact.attemptCount === 0) return null;
  const last = contact.callSessionId === null ? undefined : await findCall(app.db, contact.callSessionId);
  return {
    lastOutcome: last?.status ?? null,
    endedAt: last?.endedAt ?? null,
    notBefore: contact.nextRetryAt,
    attempt: contact.attemptCount + (contact.status === 'pending' ? 1 : 0),
    attemptsAllowed: campaign.schedule.retryAttempts + 1,
  };
}

function limitFacts(app: App, { campaign, dialing, obstacles }: Inquiry): Omit<Explanation['limits'], 'ahead'> {
  const heldBy = obstacles.find(({ bottleneck }) => bottleneck !== undefined)?.bottleneck ?? null;
  if (heldBy === 'number' && dialing?.number)
    return { heldBy, inFlight: dialing.number.inFlight, allowed: dialing.number.maxConcurrent };
  if (heldBy === 'organization' && dialing)
    return { heldBy, inFlight: dialing.org.inFlight, allowed: app.config.limits.organization.max_concurrent };
  return { heldBy, inFlight: campaign.stats.inProgress, allowed: campaign.schedule.maxConcurrent };
}

const subjectOfCode: Partial<Record<ReasonCode, Subject['kind']>> = {
  on_the_phone: 'call',
  final_status: 'call',
  do_not_call: 'contact',
  no_phone: 'contact',
  contact_deleted: 'contact',
  capped_day: 'contact',
  capped_week: 'contact',
  gap: 'contact',
  guard_hours: 'organization',
  calling_stopped: 'organization',
  organization_lines_in_use: 'organization',
  agent_inactive: 'agent',
  no_active_number: 'number',
  number_lines_in_use: 'number',
  carrier_lines_in_use: 'number',
  carrier_out_of_reach: 'number',
  waiting_for_retry: 'call',
};

async function subjectOf(app: App, inquiry: Inquiry, code: ReasonCode | null): Promise<Subject | null> {
  if (code === null) return null;
  const { campaign, contact, contactId, dialing } = inquiry;
  const ofCampaign: Subject = { kind: 'campaign', id: campaign.id, name: campaign.name };
  switch (subjectOfCode[code] ?? 'campaign') {
    case 'agent':
      return dialing?.agent ? { kind: 'agent', id: dialing.agent.id, name: dialing.agent.agentName } : ofCampaign;
    case 'number':
      return dialing?.number ? { kind: 'number', id: dialing.number.id, name: dialing.number.phone } : ofCampaign;
    case 'organization':
      return { kind: 'organization', id: campaign.orgId, name: (await organizationOf(app.db, campaign.orgId)).name };
    case 'call':
      return contact?.callSessionId ? { kind: 'call', id: contact.callSessionId, name: contact.phone } : ofCampaign;
    case 'contact': {
      const [person] = contactId === null ? [] : await findContacts(app.db, campaign.orgId, [contactId]);
      return person ? { kind: 'contact', id: person.id, name: nameOf(person) ?? person.phone } : ofCampaign;
    }
    default:
      return ofCampaign;
  }
}
