import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { operation } from '../../../kernel/route.ts';
import { boolean, id, integer, list, nullable, object, oneOf, timestamp, Type } from '../../../kernel/schema.ts';
import { missingCodes } from '../dialing/readiness.ts';
import { skipCodes } from '../dialing/reason-codes.ts';
import * as service from '../service.ts';
import { newPlanBody, planBody } from '../wire.ts';
import { maxOutlooks, outlooksOf } from './outlook.ts';
import { type Plan, planOf, planOfNew } from './plan.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

const planSchema = object(
  {
    openings: list(
      object({
        opens_at: timestamp(),
        closes_at: timestamp(),
        capacity: integer({ description: 'Calls that start in it at the present pace' }),
        expected: integer({ description: 'Calls that are likely in it, retries as earlier calls ended' }),
        left: integer({ description: 'Contacts that are left at its end' }),
      }),
      { description: 'Of the next 14 days, up to the finish' },
    ),
    eligible: integer(),
    skipped: list(object({ reason: Type.String(), code: oneOf(skipCodes), count: integer() })),
    finishes_at: nullable(timestamp()),
    course: list(
      object({
        at: timestamp(),
        calls: integer({ description: 'Calls made since the first opening' }),
        left: integer({ description: 'Contacts that are left' }),
      }),
      {
        description:
          'How the calls are likely to go, at 61 instants of equal distance from the first opening to the finish, or to the last closing without one; empty if nobody is to be called',
      },
    ),
    ready: object({
      ok: boolean(),
      missing: list(
        object({
          field: nullable(Type.String({ description: 'The setting that would change it; null if none would' })),
          code: oneOf(missingCodes),
          message: Type.String(),
        }),
        { description: 'What keeps the campaign from calling anybody' },
      ),
    }),
    by_zone: list(
      object({
        timezone: Type.String(),
        contacts: integer({ description: 'Contacts that can be called' }),
        opens_at: nullable(timestamp('The next opening; null if there is none in 14 days')),
        closes_at: nullable(timestamp()),
      }),
    ),
  },
  { title: 'CampaignPlan' },
);

const outOfReachMessage = ({ phone, reason, probeAt }: NonNullable<Plan['outOfReach']>): string =>
  `Campaign plan computed. The carrier of ${phone} is out of reach, and is tried again at ${isoOf(probeAt)}: ${reason}`;

const presentPlan = (plan: Plan) => ({
  data: {
    openings: plan.openings.map((opening) => ({
      opens_at: isoOf(opening.opensAt),
      closes_at: isoOf(opening.closesAt),
      capacity: opening.capacity,
      expected: opening.expected,
      left: opening.left,
    })),
    eligible: plan.eligible,
    skipped: plan.skipped,
    finishes_at: isoOrNull(plan.finishesAt),
    course: plan.course.map(({ at, calls, left }) => ({ at: isoOf(at), calls, left })),
    ready: { ok: plan.missing.length === 0, missing: plan.missing },
    by_zone: plan.byZone.map(({ timezone, contacts, opensAt, closesAt }) => ({
      timezone,
      contacts,
      opens_at: isoOrNull(opensAt),
      closes_at: isoOrNull(closesAt),
    })),
  },
  ...(plan.outOfReach === null ? {} : { message: outOfReachMessage(plan.outOfReach) }),
});

export const planCampaign = operation({
  operationId: 'planCampaign',
  tag,
  summary:
    'Plan the next 14 days: openings of the calling window, how many contacts they reach, and when the campaign would finish',
  params: campaignPath,
  data: planSchema,
  message: 'Campaign plan computed.',
  handle: async (app, { caller, params }) => presentPlan(await planOf(app, caller.orgId, params.id)),
});

export const planUnsavedCampaign = operation({
  operationId: 'planUnsavedCampaign',
  tag,
  summary: 'Plan a campaign with settings that are not saved',
  params: campaignPath,
  body: planBody,
  example: { schedule: { windowStart: '10:00', windowEnd: '18:00' }, maxCps: 2 },
  bodyOptional: true,
  acceptsBothCases: true,
  data: planSchema,
  readOnly: true,
  ownTransactions: true,
  message: 'Campaign plan computed.',
  additionalFaults: (app, { caller, params, body }) => service.campaignFaults(app, caller.orgId, body, params.id),
  handle: async (app, { caller, params, body }) => presentPlan(await planOf(app, caller.orgId, params.id, body)),
});

export const planNewCampaign = operation({
  operationId: 'planNewCampaign',
  tag,
  summary: 'Plan a campaign that does not exist yet',
  body: newPlanBody,
  example: {
    schedule: { windowStart: '09:00', windowEnd: '17:00', timezone: 'Europe/Berlin' },
    maxCps: 1,
    contacts: 200,
  },
  acceptsBothCases: true,
  data: planSchema,
  readOnly: true,
  ownTransactions: true,
  message: 'Campaign plan computed.',
  additionalFaults: (app, { caller, body }) => service.campaignFaults(app, caller.orgId, body),
  handle: async (app, { caller, body: { contacts, ...settings } }) =>
    presentPlan(await planOfNew(app, caller.orgId, contacts, settings)),
});

export const listCampaignOutlooks = operation({
  operationId: 'listCampaignOutlooks',
  tag,
  summary: 'Tell when the windows of campaigns open and close, and when those that run would finish',
  query: object({
    campaign_id: list(id('campaign'), {
      minItems: 1,
      maxItems: maxOutlooks,
      uniqueItems: true,
      description: `Repeat it for up to ${maxOutlooks} campaigns; those that do not exist are left out`,
    }),
  }),
  data: list(
    object(
      {
        campaign_id: id('campaign'),
        agent_name: nullable(Type.String()),
        open: boolean({ description: 'Whether the calling window is open' }),
        opens_at: nullable(timestamp('The next opening, after the present one; null if there is none')),
        closes_at: nullable(timestamp('End of the present opening; null while it is closed, or if it never closes')),
        finishes_at: nullable(
          timestamp('As planned; null for a campaign that does not run, or does not finish in 14 days'),
        ),
      },
      { title: 'CampaignOutlook' },
    ),
  ),
  message: 'Outlooks computed.',
  async handle(app, { caller, query }) {
    const outlooks = await outlooksOf(app, caller.orgId, query.campaign_id);
    return {
      data: outlooks.map((each) => ({
        campaign_id: each.campaignId,
        agent_name: each.agentName,
        open: each.isOpen,
        opens_at: isoOrNull(each.opensAt),
        closes_at: isoOrNull(each.closesAt),
        finishes_at: isoOrNull(each.finishesAt),
      })),
    };
  },
});
