import assert from 'node:assert/strict';
import type { Call } from '../../src/features/calls/call.ts';

/** The rules for who may be dialed (docs/calling.md), written a second time for the tests: they share no code with parley. */

export type ModelContact = {
  id: string;
  phone: string;
  zone: string | null;
  isJoined: boolean;
  isFlagged: boolean;
  isListed: boolean;
  /** Number of ended attempts since the contact was added to the campaign. */
  attempts: number;
  last: { status: string; at: number } | null;
  /**
   * How many times since the last ended attempt the carrier was out of reach, at which `CarrierState.resumptions` it last was, and when.
   */
  unreachable: { count: number; resumptions: number; at: number } | null;
};

export type ModelCampaign = {
  status: 'active' | 'paused' | 'completed';
  numberId: string;
  start: number | null;
  end: number | null;
  hours: readonly [number, number] | null;
  days: readonly number[];
  maxConcurrent: number;
  maxCps: number;
  retryAttempts: number;
  retryOn: readonly string[];
  gapMs: number;
};

export type ModelState = {
  campaign: ModelCampaign;
  contacts: readonly ModelContact[];
  isAgentActive: boolean;
  /** When each single call was placed (Unix milliseconds), by the called phone. */
  singles: ReadonlyMap<string, number>;
  limits: ModelLimits;
};

/** Limits of the calls to one phone, and the hours (of the person) that no campaign leaves. */
export type ModelLimits = {
  perDay: number | null;
  perWeek: number | null;
  gapMs: number | null;
  guard: { hours: readonly [number, number]; days: readonly number[] } | null;
};

/** A call that the carrier got, or may have got. `endedAt` is null while it lasts. */
export type ModelAttempt = { phone: string; at: number; endedAt: number | null };

export type Dial = { call: Call; at: number };

/** The calls that the carrier has seen so far, and when it was last out of reach for each number that is paused. */
export type Seen = {
  dials: readonly Dial[];
  live: readonly Call[];
  failedAt: ReadonlyMap<string, number>;
  attempts: readonly ModelAttempt[];
};

const second = 1000;
/** A single call waits at most 60 s from its turn. Histories place few, so the turn comes within 10 s. */
const maxWaitMs = 70 * second;

/** The rule that forbids to dial the call at that instant; undefined if it may be dialed. */
export function violationOf(
  state: ModelState,
  { dials, live, failedAt, attempts }: Seen,
  { call, at }: Dial,
): string | undefined {
  const failed = failedAt.get(call.phoneNumberId);
  if (failed !== undefined && at > failed && at < failed + 5 * second) return 'the carrier is paused';
  if (!state.isAgentActive) return 'the agent is INACTIVE';
  if (state.contacts.some(({ phone, isFlagged, isListed }) => phone === call.to && (isFlagged || isListed)))
    return 'the number opted out';
  const zone = state.contacts.find(({ id }) => id === call.contactId)?.zone ?? zoneOfCountry(call.to);
  const capped = violationOfLimits(state.limits, attempts, zone, { call, at });
  if (capped !== undefined) return capped;
  if (call.campaignId === null) return violationOfSingle(state, { call, at });
  const { guard } = state.limits;
  if (guard !== null && !isWithin(guard, zone, at)) return 'the guard hours are over';
  const contact = state.contacts.find(({ id }) => id === call.contactId);
  if (!contact) return 'the contact is unknown';
  if (live.some((other) => other.campaignId !== null && other.to === call.to)) return 'the contact is on the phone';
  return (
    violationOfCampaign(state.campaign, { call, at }, live, dials) ?? violationOfContact(state, contact, { call, at })
  );
}

const zones = { '+49': 'Europe/Berlin', '+81': 'Asia/Tokyo', '+1876': 'America/Jamaica' };

/** The zone of the phones of the histories whose country has one; for others the campaign's counts, or UTC, which is the same here. */
export const zoneOfCountry = (phone: string): string =>
  Object.entries(zones).find(([prefix]) => phone.startsWith(prefix))?.[1] ?? 'UTC';

function violationOfLimits(
  { perDay, perWeek, gapMs }: ModelLimits,
  attempts: readonly ModelAttempt[],
  zone: string,
  { call, at }: Dial,
): string | undefined {
  const local = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const dayOf = (ms: number): string => local(ms).toPlainDate().toString();
  const weekOf = (ms: number): string => `${local(ms).yearOfWeek} ${local(ms).weekOfYear}`;
  const ofPhone = attempts.filter(({ phone }) => phone === call.to);
  if (perDay !== null && ofPhone.filter((one) => dayOf(one.at) === dayOf(at)).length >= perDay)
    return 'the day is full';
  if (perWeek !== null && ofPhone.filter((one) => weekOf(one.at) === weekOf(at)).length >= perWeek)
    return 'the week is full';
  if (gapMs !== null && ofPhone.some(({ endedAt }) => endedAt === null || at < endedAt + gapMs))
    return 'the gap is not over';
  return undefined;
}

function violationOfSingle(state: ModelState, { call, at }: Dial): string | undefined {
  const placed = state.singles.get(call.to);
  return placed !== undefined && at - placed <= maxWaitMs ? undefined : 'the call waited too long';
}

function violationOfCampaign(
  campaign: ModelCampaign,
  { call, at }: Dial,
  live: readonly Call[],
  dials: readonly Dial[],
): string | undefined {
  if (campaign.status !== 'active') return `the campaign is ${campaign.status}`;
  if (call.phoneNumberId !== campaign.numberId) return 'the campaign calls from another number';
  if (campaign.start !== null && at < campaign.start) return 'the campaign has not started';
  if (campaign.end !== null && at >= campaign.end) return 'the campaign has ended';
  const others = live.filter(({ campaignId }) => campaignId !== null).length;
  if (others >= campaign.maxConcurrent) return 'all lines are in use';
  const recent = dials.filter((dial) => dial.call.campaignId !== null && dial.at > at - second).length;
  return recent >= campaign.maxCps ? 'too many calls in a second' : undefined;
}

function violationOfContact({ campaign }: ModelState, contact: ModelContact, { call, at }: Dial): string | undefined {
  if (!contact.isJoined) return 'the contact was removed';
  if (call.to !== contact.phone) return 'the contact has another phone';
  if (call.attempt !== contact.attempts + 1) return `attempt ${call.attempt} follows ${contact.attempts}`;
  if (contact.unreachable && at < contact.unreachable.at + 5 * second)
    return 'the carrier was just out of reach for it';
  if (!isWithin(campaign, contact.zone ?? 'UTC', at)) return 'the window is closed';
  if (contact.last === null) return undefined;
  if (contact.attempts > campaign.retryAttempts) return 'there are no more retries';
  if (!campaign.retryOn.includes(contact.last.status)) return `${contact.last.status} is not retried`;
  return at < contact.last.at + campaign.gapMs ? 'the retry is not due' : undefined;
}

function isWithin({ hours, days }: Pick<ModelCampaign, 'hours' | 'days'>, zone: string, at: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  if (hours === null) return days.includes(local.dayOfWeek);
  assert.ok(hours[0] < hours[1]);
  return days.includes(local.dayOfWeek) && local.hour >= hours[0] && local.hour < hours[1];
}
