import {
  importData,
  importOptionsOf,
  importQuery,
  requireFile,
  summarize,
  uploadSpec,
} from '../../contacts/import/wire.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, object } from '../../../kernel/schema.ts';
import { actorOf } from '../../requests/audit.ts';
import * as contactImport from './contact-import.ts';

export const importCampaignContacts = operation({
  operationId: 'importCampaignContacts',
  tag: 'Campaigns',
  summary: 'Create and update contacts from a CSV or XLSX file, and add them to a campaign',
  params: object({ id: id('campaign') }),
  upload: uploadSpec,
  example: 'first_name,phone,tags\nAda,+4930901820,"vip, spring"\n',
  query: object(importQuery),
  data: object({
    ...importData,
    added: integer({ minimum: 0, description: 'Contacts that joined the campaign' }),
  }),
  ownTransactions: true,
  errors: ['conflict'],
  forbidsCalls: true,
  message: 'Contacts imported.',
  async handle(app, { caller, params, query, upload, requestId, ip }) {
    requireFile(upload); // before an unknown campaign is reported: the order of errors is that of all operations
    const options = importOptionsOf(query);
    const { dryRun } = options;
    const entry = {
      orgId: caller.orgId,
      actor: actorOf(caller),
      operation: 'importCampaignContacts',
      target: { id: params.id },
      requestId,
      ip,
    };
    const { result, counts } = await contactImport.importCampaignContacts(app, params.id, upload, options, entry);
    const message = summarize(result, counts, { dryRun, campaign: true });
    return { data: { ...result, added: counts.added }, message, changedNothing: dryRun };
  },
});
