import { boolean, object, optional } from '../../../kernel/schema.ts';
import { operation } from '../../../kernel/route.ts';
import * as csvExport from './export.ts';

export const exportContacts = operation({
  operationId: 'exportContacts',
  tag: 'Contacts',
  summary: 'Download all contacts as a CSV file, oldest first',
  query: object({
    history: optional(boolean({ description: 'Also what happened: notes, campaigns and calls, each as JSON' })),
  }),
  download: {
    contentType: 'text/csv',
    description:
      'A header row, then one row per contact; `metadata` is JSON. A cell that a spreadsheet could run as a formula starts with ' +
      'an apostrophe, which an import removes again.',
  },
  message: 'Contacts exported.',
  handle: async (app, { caller, query }) => ({
    download: await csvExport.exportContacts(app, caller.orgId, { withHistory: query.history === true }),
  }),
});
