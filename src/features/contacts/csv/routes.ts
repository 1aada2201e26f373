import { operation } from '../../../kernel/route.ts';
import { integer, list, object, oneOf, optional, Type } from '../../../kernel/schema.ts';
import { contactInputSchema } from '../contact-input.ts';
import * as csvExport from './export.ts';
import * as csvImport from './import.ts';
import { dedupeModes, type Imported, maxRejections } from './import.ts';

const tag = 'Contacts';
const contentType = 'text/csv';

const count = () => integer({ minimum: 0 });
const row = integer({ minimum: 1, description: 'Counted from 1 after the header; empty lines are not' });

export const importContacts = operation({
  operationId: 'importContacts',
  tag,
  summary: 'Create and update contacts from a CSV file',
  upload: {
    contentType,
    description:
      'UTF-8, with a header row; separated by commas, semicolons or tabs. Columns named like fields of a contact are those, ' +
      '`metadata` holds a JSON object, any other column becomes a key of the metadata. Empty cells give nothing.',
    row: contactInputSchema,
  },
  example: 'first_name,phone,shoe size\nAda,+4930901820,38\n',
  query: object({
    dedupe: optional(
      oneOf(dedupeModes, {
        description: 'phone (the default): a row with the phone of a contact changes that contact; none: none does',
      }),
    ),
  }),
  data: object({
    created: count(),
    updated: count(),
    rejected: list(object({ row, reason: Type.String() }), {
      maxItems: maxRejections,
      description: `The first ${maxRejections} of them; total - created - updated is how many there are`,
    }),
    total: integer({ minimum: 0, description: 'Rows of the file' }),
  }),
  detached: true,
  message: 'Contacts imported.',
  async handle(app, { caller, query, upload }) {
    const data = await csvImport.importContacts(app, caller.orgId, upload, query.dedupe ?? 'phone');
    return { data, message: sentence(data) };
  },
});

export const exportContacts = operation({
  operationId: 'exportContacts',
  tag,
  summary: 'Download all contacts as a CSV file, oldest first',
  download: {
    contentType,
    description:
      'A header row, then a row per contact; `metadata` is JSON. Cells that a spreadsheet could take for a formula begin with ' +
      'an apostrophe, which an import takes away again.',
  },
  message: 'Contacts exported.',
  handle: async (app, { caller }) => ({ download: await csvExport.exportContacts(app, caller.orgId) }),
});

function sentence({ created, updated, rejected, total }: Imported): string {
  const refused = total - created - updated;
  const listed = refused > rejected.length ? `, of which the first ${rejected.length} are listed` : '';
  return `Contacts imported: ${created} created, ${updated} updated, ${refused} rejected${listed}.`;
}
