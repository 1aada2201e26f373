import type { App } from '../../../kernel/app.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, list, object, optional } from '../../../kernel/schema.ts';
import { campaignsOfContact } from '../contacts/campaign-contacts.ts';
import { explain } from './explain.ts';
import { stripOf } from './strip.ts';
import { type Inquiry, whyNot, whyOf } from './why.ts';
import { presentWhy, whyOfCampaignSchema, whySchema } from './wire.ts';

const hoursQuery = object({
  hours: optional(
    integer({
      minimum: 1,
      maximum: 72,
      description: 'Answers also `strip`: what is open in the next hours, and when it rings',
    }),
  ),
});

const present = async (app: App, why: Inquiry, hours: number | undefined) =>
  presentWhy(why, await explain(app, why), hours === undefined ? null : await stripOf(app, why, hours));

export const explainCampaignContact = operation({
  operationId: 'explainCampaignContact',
  tag: 'Campaigns',
  summary: 'Explain why a contact is not being called now, and when it will be',
  params: object({ id: id('campaign'), contact_id: id('contact in this campaign') }),
  query: hoursQuery,
  data: whySchema,
  message: 'Contact explained.',
  async handle(app, { caller, params, query }) {
    const why = await whyOf(app, caller.orgId, params.id, params.contact_id);
    return { data: await present(app, why, query.hours) };
  },
});

/** A contact's campaigns that are answered for. */
const maxCampaigns = 20;

export const explainContact = operation({
  operationId: 'explainContact',
  tag: 'Contacts',
  summary: `Explain for each campaign of a contact that is not completed, at most ${maxCampaigns}, why it is not being called now`,
  params: object({ id: id('contact') }),
  query: hoursQuery,
  data: list(whyOfCampaignSchema),
  message: 'Contact explained.',
  async handle(app, { caller, params, query }) {
    const all = await campaignsOfContact(app, caller.orgId, params.id);
    const open = all.filter(({ campaign }) => campaign.status !== 'completed').slice(0, maxCampaigns);
    const data = [];
    for (const { campaign, campaignContact } of open) {
      const why = await present(app, await whyNot(app, campaign, campaignContact), query.hours);
      data.push({ campaign_id: campaign.id, campaign_name: campaign.name, ...why });
    }
    return { data };
  },
});
