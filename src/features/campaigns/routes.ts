import { invalidAt } from '../../base/errors.ts';
import { given } from '../../base/given.ts';
import type { App } from '../../kernel/app.ts';
import { searchTextIn, search } from '../../kernel/filters.ts';
import { operation, type Versioned } from '../../kernel/route.ts';
import { id, list, object, oneOf, optional } from '../../kernel/schema.ts';
import { actorOf } from '../requests/audit.ts';
import { type Campaign, campaignStatuses } from './campaign.ts';
import * as removal from './removal.ts';
import * as service from './service.ts';
import { campaignSchema, createBody, patchBody, presentCampaign, presentCampaignSettings } from './wire.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

const present = async (app: App, campaign: Campaign) =>
  presentCampaign(campaign, await service.limitsOf(app, campaign));

const versioned: Versioned = {
  table: 'campaigns',
  async find(app, orgId, { id: campaignId = '' }) {
    const campaign = await service.findCampaign(app, orgId, campaignId);
    return campaign && { id: campaign.id, version: campaign.version, settings: presentCampaignSettings(campaign) };
  },
};

/** A message that warns when a campaign without a calling window becomes active: it calls at any hour of the day. */
const atAnyHour = (done: string, { schedule }: Campaign): { message?: string } =>
  schedule.windowStart === null
    ? { message: `${done}. It has no calling window, so it calls at any hour; set schedule.windowStart and windowEnd.` }
    : {};

export const createCampaign = operation({
  operationId: 'createCampaign',
  tag,
  versioned,
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
  async handle(app, { caller, body }) {
    const campaign = await service.createCampaign(app, caller.orgId, body, actorOf(caller));
    return {
      data: await present(app, campaign),
      ...(campaign.status === 'active' ? atAnyHour('Campaign created', campaign) : {}),
    };
  },
});

export const listCampaigns = operation({
  operationId: 'listCampaigns',
  tag,
  summary: 'List campaigns, newest first',
  query: object({
    status: optional(oneOf(campaignStatuses, { description: 'Only campaigns with this status' })),
    agent_id: optional(id('agent')),
    phone_number_id: optional(id('phone number')),
    q: search('Part of the name'),
  }),
  paged: true,
  data: list(campaignSchema),
  message: 'Campaigns fetched.',
  async handle(app, { caller, query, page }) {
    const { status, agent_id: agentId, phone_number_id: phoneNumberId, q } = query;
    const filter = given({ status, agentId, phoneNumberId, name: searchTextIn(q) });
    const { items, ...meta } = await service.listCampaigns(app, caller.orgId, filter, page);
    return { data: await Promise.all(items.map((campaign) => present(app, campaign))), ...meta };
  },
});

export const getCampaign = operation({
  operationId: 'getCampaign',
  tag,
  versioned,
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
  versioned,
  summary: 'Update, start, pause or complete a campaign',
  params: campaignPath,
  body: patchBody,
  example: { status: 'active' },
  acceptsBothCases: true,
  data: campaignSchema,
  forbidsCalls: true,
  message: 'Campaign updated.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, params, body }) => service.campaignFaults(app, caller.orgId, body, params.id),
  async handle(app, { caller, params, body }) {
    const { id: bodyId, ...changes } = body;
    if (bodyId !== undefined && bodyId !== params.id) throw invalidAt('id', 'is not the id in the path');
    const { campaign, becameActive } = await service.updateCampaign(
      app,
      caller.orgId,
      params.id,
      changes,
      actorOf(caller),
    );
    return {
      data: await present(app, campaign),
      ...(becameActive ? atAnyHour('Campaign updated', campaign) : {}),
    };
  },
});

export const deleteCampaign = operation({
  operationId: 'deleteCampaign',
  tag,
  versioned,
  summary: 'Delete a campaign; refused while it is running',
  params: campaignPath,
  message: 'Campaign deleted.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await removal.deleteCampaign(app, caller.orgId, params.id);
    return {};
  },
});
