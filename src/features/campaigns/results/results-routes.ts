import { given } from '../../../base/given.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, label, list, object, oneOf, optional, Type } from '../../../kernel/schema.ts';
import { actorOf } from '../../requests/audit.ts';
import { finalStatuses } from '../campaign.ts';
import type { EarlierRefusal } from '../contacts/campaign-contacts.ts';
import { foundBy, foundByOf } from '../contacts/contact-filters.ts';
import { type LeftOut, redialCampaign as redial, unreached } from '../dialing/redial.ts';
import { campaignResults, csvDialects, maxMetadataColumns, resultContentTypes, resultFormats } from './results.ts';
import { limitsOf } from '../service.ts';
import { campaignSchema, presentCampaign } from '../wire.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

const reasonSentences: Readonly<Record<EarlierRefusal | 'still_in_campaign' | 'not_found', string>> = {
  do_not_call: 'on the do-not-call list',
  invalid_number: 'with a number that does not exist',
  no_phone: 'without a phone',
  deleted: 'deleted',
  repeated_number: 'with the number of another contact',
  still_in_campaign: 'that the campaign may still call',
  capped_day: 'whose number was called often enough today',
  capped_week: 'whose number was called often enough this week',
  gap: 'whose number was called too short a time ago',
  guard_hours: 'that the guard hours never let it call',
  not_found: 'that the filter does not find',
};

const redialSchema = object(
  {
    ...campaignSchema.properties,
    added: integer({ minimum: 0, description: 'Contacts in the draft' }),
    left_out: list(
      object({
        reason: Type.String({ description: [...Object.keys(reasonSentences), 'status:<status>'].join(', ') }),
        count: integer({ minimum: 1 }),
      }),
      { description: 'All other contacts of the campaign, counted by the reason' },
    ),
  },
  { title: 'RedialedCampaign' },
);

const sentenceOf = ({ reason, count }: LeftOut): string =>
  `${count} ${reasonSentences[reason as keyof typeof reasonSentences] ?? reason.replace('status:', 'that ended ')}`;

export const redialCampaign = operation({
  operationId: 'redialCampaign',
  tag,
  summary:
    'Make a draft from a campaign that was started, with those of its unreached contacts that may still be called',
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
  data: redialSchema,
  ownTransactions: true,
  message: 'Draft created.',
  errors: ['conflict'],
  async handle(app, { caller, params, body }) {
    const { statuses, name, ...others } = body;
    const options = { ...given({ statuses, name }), ...foundByOf(others) };
    const { campaign, added, leftOut } = await redial(app, caller.orgId, params.id, options, actorOf(caller));
    return {
      data: { ...presentCampaign(campaign, await limitsOf(app, campaign)), added, left_out: leftOut },
      message: `Draft created with ${added} contacts.${leftOut.length > 0 ? ` Left out: ${leftOut.map(sentenceOf).join(', ')}.` : ''}`,
    };
  },
});

export const downloadCampaignResults = operation({
  operationId: 'downloadCampaignResults',
  tag,
  summary: 'Download the results of a campaign, a row for each contact',
  params: campaignPath,
  query: object({
    format: optional(
      oneOf(resultFormats, { description: 'csv (default), jsonl (JSON Lines) or xlsx', default: 'csv' }),
    ),
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
