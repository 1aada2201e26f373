import { invalidAt } from '../../base/errors.ts';
import { isoOf, isoOrNull } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { operation } from '../../kernel/route.ts';
import { boolean, id, integer, list, nullable, object, oneOf, optional, timestamp, Type } from '../../kernel/schema.ts';
import { type Campaign, campaignStatuses } from './campaign.ts';
import { type Plan, planOf } from './plan.ts';
import * as service from './service.ts';
import { campaignSchema, createBody, patchBody, presentCampaign } from './wire.ts';
import { whyOf } from './why.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

const present = async (app: App, campaign: Campaign) =>
  presentCampaign(campaign, await service.limitsOf(app, campaign));

const planSchema = object(
  {
    openings: list(object({ opens_at: timestamp(), closes_at: timestamp(), capacity: integer() })),
    eligible: integer(),
    skipped: list(object({ reason: Type.String(), count: integer() })),
    finishes_at: nullable(timestamp()),
  },
  { title: 'CampaignPlan' },
);

const whySchema = object({
  status: Type.String(),
  dialable_now: boolean(),
  reasons: list(Type.String()),
  next_attempt_at: nullable(timestamp()),
});

export const createCampaign = operation({
  operationId: 'createCampaign',
  tag,
  summary: 'Create a campaign',
  body: createBody,
  example: {
    name: 'Spring reminders',
    agentId: '019cadc6-9a80-7001-a45e-788430a62e9c',
    fromPhoneNumber: '+4930901821',
    schedule: {
      windowStart: '09:00',
      windowEnd: '17:00',
      windowDays: [1, 2, 3, 4, 5],
      timezone: 'Europe/Berlin',
      maxConcurrent: 5,
      retryAttempts: 2,
      retryGapMin: 60,
    },
  },
  acceptsBothCases: true,
  data: campaignSchema,
  message: 'Campaign created.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, body }) => service.campaignFaults(app, caller.orgId, body),
  handle: async (app, { caller, body }) => ({
    data: await present(app, await service.createCampaign(app, caller.orgId, body)),
  }),
});

export const listCampaigns = operation({
  operationId: 'listCampaigns',
  tag,
  summary: 'List campaigns, newest first',
  query: object({ status: optional(oneOf(campaignStatuses, { description: 'Only campaigns with this status' })) }),
  paged: true,
  data: list(campaignSchema),
  message: 'Campaigns fetched.',
  async handle(app, { caller, query, page }) {
    const { items, total } = await service.listCampaigns(app, caller.orgId, query.status, page);
    return { data: await Promise.all(items.map((campaign) => present(app, campaign))), total };
  },
});

export const getCampaign = operation({
  operationId: 'getCampaign',
  tag,
  summary: 'Get a campaign',
  params: campaignPath,
  data: campaignSchema,
  message: 'Campaign fetched.',
  handle: async (app, { caller, params }) => ({
    data: await present(app, await service.getCampaign(app, caller.orgId, params.id)),
  }),
});

export const updateCampaign = operation({
  operationId: 'updateCampaign',
  tag,
  summary: 'Update, start, pause or complete a campaign',
  params: campaignPath,
  body: patchBody,
  example: { status: 'active' },
  acceptsBothCases: true,
  data: campaignSchema,
  message: 'Campaign updated.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, params, body }) => service.campaignFaults(app, caller.orgId, body, params.id),
  async handle(app, { caller, params, body }) {
    const { id: bodyId, ...changes } = body;
    if (bodyId !== undefined && bodyId !== params.id) throw invalidAt('id', 'is not the id in the path');
    return { data: await present(app, await service.updateCampaign(app, caller.orgId, params.id, changes)) };
  },
});

export const deleteCampaign = operation({
  operationId: 'deleteCampaign',
  tag,
  summary: 'Delete a campaign; refused while it is running',
  params: campaignPath,
  message: 'Campaign deleted.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await service.deleteCampaign(app, caller.orgId, params.id);
    return {};
  },
});

const outOfReachMessage = ({ phone, reason, probeAt }: NonNullable<Plan['outOfReach']>): string =>
  `Campaign plan computed. The carrier of ${phone} is out of reach, and is tried again at ${isoOf(probeAt)}: ${reason}`;

export const planCampaign = operation({
  operationId: 'planCampaign',
  tag,
  summary:
    'Plan the next 14 days: openings of the calling window, how many contacts they reach, and when the campaign would finish',
  params: campaignPath,
  data: planSchema,
  message: 'Campaign plan computed.',
  async handle(app, { caller, params }) {
    const plan = await planOf(app, caller.orgId, params.id);
    return {
      data: {
        openings: plan.openings.map((opening) => ({
          opens_at: isoOf(opening.opensAt),
          closes_at: isoOf(opening.closesAt),
          capacity: opening.capacity,
        })),
        eligible: plan.eligible,
        skipped: plan.skipped,
        finishes_at: isoOrNull(plan.finishesAt),
      },
      ...(plan.outOfReach === null ? {} : { message: outOfReachMessage(plan.outOfReach) }),
    };
  },
});

export const explainCampaignContact = operation({
  operationId: 'explainCampaignContact',
  tag,
  summary: 'Explain why a contact is not being called now, and when it will be',
  params: object({ id: id('campaign'), contact_id: id('contact in this campaign') }),
  data: whySchema,
  message: 'Contact explained.',
  async handle(app, { caller, params }) {
    const why = await whyOf(app, caller.orgId, params.id, params.contact_id);
    return {
      data: {
        status: why.status,
        dialable_now: why.dialableNow,
        reasons: why.reasons,
        next_attempt_at: isoOrNull(why.nextAttemptAt),
      },
    };
  },
});
