import { operation } from '../../../kernel/route.ts';
import { integer, list, object, oneOf, optional, Type } from '../../../kernel/schema.ts';
import { contactInputSchema } from '../contact-input.ts';
import * as csvExport from './export.ts';
import * as csvImport from './import.ts';
import { dedupeModes, type ImportResult, maxRejections } from './import.ts';

const tag = 'Contacts';
const contentType = 'text/csv';

const count = () => integer({ minimum: 0 });
const row = integer({ minimum: 1, description: 'Row number, from 1 after the header; empty lines are not counted' });

export const importContacts = operation({
  operationId: 'importContacts',
  tag,
  summary: 'Create and update contacts from a CSV file',
  upload: {
    contentType,
    description:
      'A UTF-8 file with a header row, separated by commas, semicolons or tabs. Columns named like a contact field set that ' +
      'field, `metadata` holds a JSON object, and any other column becomes a key of the metadata. Empty cells change nothing.',
    rowSchema: contactInputSchema,
  },
  example: 'first_name,phone,shoe size\nAda,+4930901820,38\n',
  query: object({
    dedupe: optional(
      oneOf(dedupeModes, {
        description:
          'phone (the default): a row updates the contact with the same phone, if there is one; none: every row creates a contact',
      }),
    ),
  }),
  data: object({
    created: count(),
    updated: count(),
    rejected: list(object({ row, reason: Type.String() }), {
      maxItems: maxRejections,
      description: `The first ${maxRejections} rejected rows; total - created - updated is how many there are in all`,
    }),
    total: integer({ minimum: 0, description: 'Rows in the file' }),
  }),
  ownTransactions: true,
  message: 'Contacts imported.',
  async handle(app, { caller, query, upload }) {
    const data = await csvImport.importContacts(app, caller.orgId, upload, query.dedupe ?? 'phone');
    return { data, message: summarize(data) };
  },
});

export const exportContacts = operation({
  operationId: 'exportContacts',
  tag,
  summary: 'Download all contacts as a CSV file, oldest first',
  download: {
    contentType,
    description:
      'A header row, then one row per contact; `metadata` is JSON. A cell that a spreadsheet could run as a formula starts with ' +
      'an apostrophe, which an import removes again.',
  },
  message: 'Contacts exported.',
  handle: async (app, { caller }) => ({ download: await csvExport.exportContacts(app, caller.orgId) }),
});

function summarize({ created, updated, rejected, total }: ImportResult): string {
  const rejectedCount = total - created - updated;
  const listed = rejectedCount > rejected.length ? `, of which the first ${rejected.length} are listed` : '';
  return `Contacts imported: ${created} created, ${updated} updated, ${rejectedCount} rejected${listed}.`;
}
