import { nextMacrotask } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import type { Upload } from '../../../kernel/route.ts';
import { addDoNotCall } from '../do-not-call.ts';
import { charsetIn } from './import.ts';
import { listed, type RowReason } from './outcome.ts';
import { reasonOf } from './rejection.ts';
import { tableFilesOf } from './thread.ts';

export type DoNotCallImport = {
  /** Phones that were not on the list before. */
  added: number;
  /** Phones that were, or that an earlier row has. */
  already: number;
  rejected: RowReason[];
  rejected_count: number;
};

export type DoNotCallFile = { country: string | null; charset: string | null; reason: string | null };

/**
 * Adds the phone numbers of a CSV or XLSX file to the do-not-call list, one transaction per batch. Goes on if the client disconnects: who
 * sends such a list wants nobody on it called.
 * @throws invalid when the file cannot be read, or no column has phone numbers
 */
export function importDoNotCall(
  app: App,
  orgId: string,
  upload: Upload,
  { country, charset, reason }: DoNotCallFile,
): Promise<DoNotCallImport> {
  const reading = {
    file: upload.file,
    charset: charset ?? charsetIn(upload.contentType),
    mapping: {},
    takesTags: false,
    phonesOnly: true,
    country: country ?? app.config.contacts.default_country,
  };
  return tableFilesOf(app).using(orgId, reading, async (table) => {
    const result: DoNotCallImport = { added: 0, already: 0, rejected: [], rejected_count: 0 };
    for await (const rows of table.batches()) {
      const phones: string[] = [];
      for (const { row, input, error, faults } of rows) {
        if (error === null && faults.length === 0) phones.push(...(input['phones'] as string[]));
        else {
          result.rejected_count += 1;
          listed(result.rejected, { row, reason: error ?? reasonOf(faults) });
        }
      }
      const added = phones.length === 0 ? 0 : await addDoNotCall(app, orgId, { phones, reason });
      result.added += added;
      result.already += phones.length - added;
      await nextMacrotask();
    }
    return result;
  });
}
