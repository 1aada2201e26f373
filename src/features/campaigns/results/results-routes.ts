import { given } from '../../../base/given.ts';
import { operation } from '../../../kernel/route.ts';
import { id, label, list, object, oneOf, optional } from '../../../kernel/schema.ts';
import { actorOf } from '../../requests/audit.ts';
import { finalStatuses } from '../campaign.ts';
import { foundBy, foundByOf } from '../contacts/contact-filters.ts';
import { redialCampaign as redial, unreached } from '../dialing/redial.ts';
import { campaignResults, csvDialects, maxMetadataColumns, resultContentTypes, resultFormats } from './results.ts';
import { limitsOf } from '../service.ts';
import { campaignSchema, presentCampaign } from '../wire.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

export const redialCampaign = operation({
  operationId: 'redialCampaign',
  tag,
  summary: 'Make a draft from a completed campaign, with those of its unreached contacts that may still be called',
  params: campaignPath,
  body: object({
    statuses: optional(
      list(oneOf(finalStatuses, { description: `Contacts with these statuses; default: ${unreached.join(', ')}` }), {
        minItems: 1,
        maxItems: finalStatuses.length,
      }),
    ),
    ...foundBy,
    name: optional(label()),
  }),
  example: { statuses: ['no_answer', 'busy'] },
  bodyOptional: true,
  data: campaignSchema,
  ownTransactions: true,
  message: 'Draft created.',
  errors: ['conflict'],
  async handle(app, { caller, params, body }) {
    const { statuses, name, ...others } = body;
    const options = { ...given({ statuses, name }), ...foundByOf(others) };
    const { campaign, added, left } = await redial(app, caller.orgId, params.id, options, actorOf(caller));
    return {
      data: presentCampaign(campaign, await limitsOf(app, campaign)),
      message: `Draft created with ${added} contacts; ${left} may not be called any more.`,
    };
  },
});

export const downloadCampaignResults = operation({
  operationId: 'downloadCampaignResults',
  tag,
  summary: 'Download the results of a campaign, a row for each contact',
  params: campaignPath,
  query: object({
    format: optional(oneOf(resultFormats, { default: 'csv' })),
    dialect: optional(
      oneOf(csvDialects, {
        description: 'Of a CSV. excel: a byte order mark, and semicolons between the cells',
        default: 'standard',
      }),
    ),
  }),
  download: {
    contentType: resultContentTypes.csv,
    otherContentTypes: [resultContentTypes.jsonl, resultContentTypes.xlsx],
    description:
      'In the order of the queue; `final` is false while a call or a retry may still change the row; times have the offset of the time zone of the campaign. Each key in the metadata of any contact has a ' +
      `column \`metadata.<key>\`; beyond ${maxMetadataColumns} keys the others are JSON in the column \`metadata\`. In CSV, a cell that a ` +
      'spreadsheet could run as a formula starts with an apostrophe. In JSON Lines, each line is an object with the columns as its keys.',
  },
  message: 'Results exported.',
  errors: ['conflict'],
  handle: async (app, { caller, params, query }) => ({
    download: await campaignResults(app, caller.orgId, params.id, {
      format: query.format ?? 'csv',
      dialect: query.dialect ?? 'standard',
    }),
  }),
});
