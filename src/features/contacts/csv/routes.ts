import { operation } from '../../../kernel/route.ts';
import * as csvExport from './export.ts';

export const exportContacts = operation({
  operationId: 'exportContacts',
  tag: 'Contacts',
  summary: 'Download all contacts as a CSV file, oldest first',
  download: {
    contentType: 'text/csv',
    description:
      'A header row, then one row per contact; `metadata` is JSON. A cell that a spreadsheet could run as a formula starts with ' +
      'an apostrophe, which an import removes again.',
  },
  message: 'Contacts exported.',
  handle: async (app, { caller }) => ({ download: await csvExport.exportContacts(app, caller.orgId) }),
});
