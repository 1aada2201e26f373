import { operation } from '../../../kernel/route.ts';
import { object } from '../../../kernel/schema.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import * as contactImport from './import.ts';
import { importData, importOptionsOf, importQuery, summarize, uploadSpec } from './wire.ts';

export const importContacts = operation({
  operationId: 'importContacts',
  tag: 'Contacts',
  summary: 'Create and update contacts from a CSV or XLSX file',
  upload: uploadSpec,
  example: 'first_name,phone,shoe size\nAda,+4930901820,38\n',
  query: object(importQuery),
  data: object(importData),
  ownTransactions: true,
  message: 'Contacts imported.',
  async handle(app, { caller, query, upload, requestId, ip }) {
    const options = importOptionsOf(query);
    const { dryRun } = options;
    const entry = {
      orgId: caller.orgId,
      actor: actorOf(caller),
      operation: 'importContacts',
      target: {},
      requestId,
      ip,
    };
    const { result, counts } = await contactImport.importContacts(app, caller.orgId, upload, options, {
      recordCutOff: (tx) => appendAudit(app, tx, entry),
    });
    const message = summarize(result, counts, { dryRun, campaign: false });
    return { data: result, message, changedNothing: dryRun };
  },
});
