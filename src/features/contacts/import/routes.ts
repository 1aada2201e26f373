import { operation } from '../../../kernel/route.ts';
import { id, object } from '../../../kernel/schema.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import * as contactImport from './import.ts';
import { downloadRows } from './kept-rows.ts';
import { progressOf } from './progress.ts';
import { presentProgress, progressSchema } from './progress-wire.ts';
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
  errors: ['conflict'],
  forbidsCalls: true,
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
      by: entry,
      recordCutOff: (tx) => appendAudit(app, tx, entry),
    });
    const message = summarize(result, counts, { dryRun, campaign: false });
    return { data: result, message, changedNothing: dryRun };
  },
});

const importPath = object({ import_id: id('import') });

export const getImport = operation({
  operationId: 'getImport',
  tag: 'Contacts',
  summary: 'What an import of the last 24 hours has done so far',
  params: importPath,
  data: progressSchema,
  message: 'Import.',
  async handle(app, { caller, params }) {
    return { data: presentProgress(await progressOf(app, caller.orgId, params.import_id)) };
  },
});

const keptFile = (description: string) => ({ contentType: 'text/csv', description });

export const downloadRejectedRows = operation({
  operationId: 'downloadRejectedRows',
  tag: 'Contacts',
  summary: 'Download all rows that an import of the last 24 hours rejected, with the reasons',
  params: importPath,
  download: keptFile('The columns of the file, as they came, and `reason`; a corrected file can be imported again.'),
  message: 'Rejected rows exported.',
  handle: async (app, { caller, params }) => ({
    download: await downloadRows(app, caller.orgId, params.import_id, 'rejected'),
  }),
});

export const downloadImportWarnings = operation({
  operationId: 'downloadImportWarnings',
  tag: 'Contacts',
  summary: 'Download all rows that an import of the last 24 hours took without some of their cells, with the reasons',
  params: importPath,
  download: keptFile(
    'The columns of the file, as they came, and `reason`, which names the fields that could not be read.',
  ),
  message: 'Warnings exported.',
  handle: async (app, { caller, params }) => ({
    download: await downloadRows(app, caller.orgId, params.import_id, 'warnings'),
  }),
});
