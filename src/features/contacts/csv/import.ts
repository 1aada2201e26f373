import { nextMacrotask } from '../../../base/clock.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Upload } from '../../../kernel/route.ts';
import { changesCalls, type Contact, type ContactFields } from '../contact.ts';
import { givenFields } from '../contact-input.ts';
import { contactChanged } from '../events.ts';
import { contactsByPhone, newContact } from '../service.ts';
import * as store from '../store.ts';
import type { Column } from './columns.ts';
import { reasonOf, rowInput } from './row.ts';
import type { TableRow } from './table.ts';

/** `phone`: a row with the phone of a contact changes that contact. `none`: every row makes a contact. */
export const dedupeModes = ['phone', 'none'] as const;
export type Dedupe = (typeof dedupeModes)[number];

export type Rejection = { row: number; reason: string };
/** Of the rejections the first 1,000; `total` is the number of rows, so what is neither created nor updated was rejected. */
export type Imported = { created: number; updated: number; rejected: Rejection[]; total: number };

export const maxRejections = 1000;
/** Rows of one transaction: others wait for it no longer than some milliseconds, and its commit costs little. */
const maxBatchRows = 500;
/** Rows may be large: so many characters end a batch, too. */
const maxBatchLength = 1_048_576;

type Given = Partial<ContactFields>;

/**
 * Makes and changes contacts by the rows of a CSV file, batch by batch: what is wrong with a row concerns that row alone, and rows
 * that are in stay in, whatever happens to the process. Of memory it takes a batch.
 * @throws invalid for a file without a usable header
 */
export async function importContacts(app: App, orgId: string, upload: Upload, dedupe: Dedupe): Promise<Imported> {
  const { openTable } = await import('./table.ts'); // with the first file: starting need not load the parser
  const { columns, rows } = await openTable(upload);
  const outcome: Imported = { created: 0, updated: 0, rejected: [], total: 0 };
  let batch: Given[] = [];
  let length = 0;
  const write = async (): Promise<void> => {
    const { created, updated } = await transact(app.db, (tx) => writeBatch(app, tx, orgId, batch, dedupe));
    outcome.created += created;
    outcome.updated += updated;
    batch = [];
    length = 0;
    await nextMacrotask();
  };
  for await (const row of rows) {
    outcome.total = row.row;
    const read = readRow(upload, columns, row);
    if ('reason' in read) {
      if (outcome.rejected.length < maxRejections) outcome.rejected.push({ row: row.row, reason: read.reason });
      continue;
    }
    batch.push(read.given);
    length += read.length;
    if (batch.length >= maxBatchRows || length >= maxBatchLength) await write();
  }
  if (batch.length > 0) await write();
  return outcome;
}

type ReadRow = { reason: string } | { given: Given; length: number };

function readRow(upload: Upload, columns: readonly Column[], row: TableRow): ReadRow {
  if ('unreadable' in row) return { reason: row.unreadable };
  const { input, faults } = rowInput(columns, row.cells);
  if (faults.length === 0) faults.push(...upload.rowFaults(input));
  if (faults.length > 0) return { reason: reasonOf(faults) };
  return {
    given: givenFields(input),
    length: row.cells.reduce((sum, cell) => sum + cell.length, row.cells.length),
  };
}

type Counts = { created: number; updated: number };

async function writeBatch(app: App, tx: Tx, orgId: string, batch: readonly Given[], dedupe: Dedupe): Promise<Counts> {
  const phones = dedupe === 'phone' ? batch.flatMap(({ phone }) => phone ?? []) : [];
  const byPhone = await contactsByPhone(tx, orgId, phones);
  const before = [...byPhone.values()];
  const written = new Map<string, Contact>();
  const counts: Counts = { created: 0, updated: 0 };
  for (const given of batch) {
    const phone = dedupe === 'phone' ? given.phone : undefined;
    const known = phone ? byPhone.get(phone) : undefined;
    const contact = known ? changed(app, known, given) : newContact(app, orgId, given);
    counts[known ? 'updated' : 'created'] += 1;
    written.set(contact.id, contact);
    if (phone) byPhone.set(phone, contact);
  }
  await store.saveContacts(tx, [...written.values()]);
  for (const contact of before) {
    const matters = changesCalls(contact, written.get(contact.id) ?? contact);
    if (matters) await app.events.emit(app, tx, contactChanged, { orgId, contactId: contact.id });
  }
  return counts;
}

/** Only what a row gives changes, of the metadata, too. */
const changed = (app: App, contact: Contact, given: Given): Contact => ({
  ...contact,
  ...given,
  metadata: { ...contact.metadata, ...given.metadata },
  updatedAt: app.clock.now(),
});
