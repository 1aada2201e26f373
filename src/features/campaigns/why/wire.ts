import { zoneSources } from '../../contacts/person-zone.ts';
import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { boolean, id, integer, list, nullable, object, oneOf, timestamp, Type } from '../../../kernel/schema.ts';
import { callStatuses } from '../../calls/call.ts';
import { presentDoNotCallState } from '../../contacts/do-not-call-wire.ts';
import { actorSchema, presentActor } from '../../requests/actor-wire.ts';
import { contactStatuses } from '../campaign.ts';
import { causeCodes } from '../contacts/cause.ts';
import { reasonCodes } from '../dialing/reason-codes.ts';
import { type Explanation, subjectKinds } from './explain.ts';
import { laneNames, spanStates, type Strip } from './strip.ts';
import type { Inquiry } from './why.ts';

const causeSchema = object(
  {
    code: oneOf(causeCodes),
    at: timestamp('Since when it holds, such as the instant of the opt-out'),
    by: nullable(actorSchema()),
    reason: nullable(Type.String({ description: 'As given with the opt-out or the entry of the list' })),
  },
  { title: 'Cause', description: 'What came first, if the contact is not called any more' },
);

const explainSchema = object(
  {
    code: nullable(
      oneOf(reasonCodes, { description: 'The first of the reasons; null if the contact may be called now' }),
    ),
    at_most_until: nullable(timestamp('When that reason ends by itself; null if it never does')),
    window: object({
      start: nullable(Type.String()),
      end: nullable(Type.String()),
      days: list(integer()),
      timezone: Type.String(),
      source: oneOf(['contact', 'campaign'], { description: 'Whose time zone it is' }),
      local_time: Type.String({ description: 'HH:mm, the time there now' }),
    }),
    do_not_call: nullable(
      object({
        on_list: boolean(),
        opted_out: boolean(),
        since: nullable(timestamp()),
        reason: nullable(Type.String()),
      }),
    ),
    retry: nullable(
      object({
        last_outcome: nullable(oneOf(callStatuses)),
        ended_at: nullable(timestamp()),
        not_before: nullable(timestamp()),
        attempt: integer({ description: 'Number of the next attempt; of the last one, if none follows' }),
        attempts_allowed: integer(),
      }),
    ),
    limits: object({
      held_by: nullable(oneOf(['campaign', 'number', 'organization'])),
      in_flight: integer(),
      allowed: integer(),
      ahead: integer({ description: 'Contacts that are called before this one; 10,000 stands for that many or more' }),
    }),
    carrier: nullable(object({ paused_until: timestamp(), last_error: Type.String() })),
    subject: nullable(
      object(
        { kind: oneOf(subjectKinds), id: Type.String(), name: nullable(Type.String()) },
        { description: 'The thing to look at' },
      ),
    ),
  },
  { title: 'Explanation' },
);

const stripSchema = object(
  {
    from: timestamp(),
    to: timestamp(),
    lanes: list(
      object({
        lane: oneOf(laneNames),
        spans: list(object({ from: timestamp(), to: timestamp(), state: oneOf(spanStates) })),
      }),
    ),
    rings: list(
      object({
        at: timestamp(),
        attempt: integer(),
        estimate: boolean({
          description: 'The instant depends on other calls; else it is exact as long as nothing changes',
        }),
      }),
      { description: 'The next attempt, and those after it if nobody answers' },
    ),
  },
  { title: 'WhyStrip' },
);

const whyFields = {
  status: nullable(
    oneOf(contactStatuses, { description: 'Null for a contact that the campaign did not take in the last 30 days' }),
  ),
  dialable_now: boolean(),
  reasons: list(Type.String()),
  reason_codes: list(oneOf(reasonCodes), { description: 'A code for each of the reasons, in their order' }),
  next_attempt_at: nullable(timestamp()),
  until: nullable(
    timestamp(
      'Until when limits of calls to the number, or guard hours, hold the contact back; null if they do not, or for good',
    ),
  ),
  timezone_source: nullable(
    oneOf(zoneSources, {
      description: "Where the person's time zone comes from; null for a contact that the campaign did not take",
    }),
  ),
  cause: nullable(causeSchema),
  explain: explainSchema,
  strip: nullable(stripSchema),
};
export const whySchema = object(whyFields, { title: 'Why' });
export const whyOfCampaignSchema = object(
  { campaign_id: id('campaign'), campaign_name: Type.String(), ...whyFields },
  { title: 'WhyInCampaign' },
);

const presentExplanation = (facts: Explanation) => ({
  code: facts.code,
  at_most_until: isoOrNull(facts.atMostUntil),
  window: {
    start: facts.window.start,
    end: facts.window.end,
    days: [...facts.window.days],
    timezone: facts.window.timezone,
    source: facts.window.source,
    local_time: facts.window.localTime,
  },
  do_not_call: facts.doNotCall && withoutActor(facts.doNotCall),
  retry: facts.retry && {
    last_outcome: facts.retry.lastOutcome,
    ended_at: isoOrNull(facts.retry.endedAt),
    not_before: isoOrNull(facts.retry.notBefore),
    attempt: facts.retry.attempt,
    attempts_allowed: facts.retry.attemptsAllowed,
  },
  limits: {
    held_by: facts.limits.heldBy,
    in_flight: facts.limits.inFlight,
    allowed: facts.limits.allowed,
    ahead: facts.limits.ahead,
  },
  carrier: facts.carrier && {
    paused_until: isoOf(facts.carrier.pausedUntil),
    last_error: facts.carrier.lastError,
  },
  subject: facts.subject,
});

function withoutActor(state: NonNullable<Explanation['doNotCall']>) {
  const { on_list, opted_out, since, reason } = presentDoNotCallState(state);
  return { on_list, opted_out, since, reason };
}

const presentStrip = ({ from, to, lanes, rings }: Strip) => ({
  from: isoOf(from),
  to: isoOf(to),
  lanes: lanes.map(({ lane, spans }) => ({
    lane,
    spans: spans.map((span) => ({ from: isoOf(span.from), to: isoOf(span.to), state: span.state })),
  })),
  rings: rings.map(({ at, ...ring }) => ({ at: isoOf(at), ...ring })),
});

export const presentWhy = (why: Inquiry, explanation: Explanation, strip: Strip | null) => ({
  status: why.status,
  dialable_now: why.dialableNow,
  reasons: why.reasons.map(({ reason }) => reason),
  reason_codes: why.reasons.map(({ code }) => code),
  next_attempt_at: isoOrNull(why.nextAttemptAt),
  until: isoOrNull(why.heldUntil),
  timezone_source: why.timezoneSource,
  cause: why.cause && { ...why.cause, at: isoOf(why.cause.at), by: why.cause.by && presentActor(why.cause.by) },
  explain: presentExplanation(explanation),
  strip: strip && presentStrip(strip),
});
