import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, nullable, object, oneOf, timestamp } from '../../../kernel/schema.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import * as contactImport from './import.ts';
import { downloadRows } from './kept-rows.ts';
import { importStates, progressOf } from './progress.ts';
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
      recordCutOff: (tx) => appendAudit(app, tx, entry),
    });
    const message = summarize(result, counts, { dryRun, campaign: false });
    return { data: result, message, changedNothing: dryRun };
  },
});

const importPath = object({ import_id: id('import') });
const count = () => integer({ minimum: 0 });

export const getImport = operation({
  operationId: 'getImport',
  tag: 'Contacts',
  summary: 'What an import of the last 24 hours has done so far',
  params: importPath,
  data: object({
    state: oneOf(importStates, {
      description: 'stopped: it ended before the end of the file; what it had written by then stays',
    }),
    rows_read: count(),
    created: count(),
    updated: count(),
    rejected_count: count(),
    warning_count: count(),
    started_at: timestamp(),
    ended_at: nullable(timestamp()),
  }),
  message: 'Import.',
  async handle(app, { caller, params }) {
    const found = await progressOf(app, caller.orgId, params.import_id);
    return {
      data: {
        state: found.state,
        rows_read: found.rowsRead,
        created: found.created,
        updated: found.updated,
        rejected_count: found.rejectedCount,
        warning_count: found.warningCount,
        started_at: isoOf(found.startedAt),
        ended_at: isoOrNull(found.endedAt),
      },
    };
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
