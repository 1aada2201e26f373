import { nextMacrotask } from '../../../base/clock.ts';
import { JsonObject } from '../../../base/json.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Upload } from '../../../kernel/route.ts';
import { affectsCalls, type Contact, type ContactFields } from '../contact.ts';
import { providedFields } from '../contact-input.ts';
import { contactChanged } from '../events.ts';
import { contactsByPhone, newContact } from '../service.ts';
import * as store from '../store.ts';
import type { Column } from './columns.ts';
import { reasonOf, rowInput } from './row.ts';
import type { TableRow } from './table.ts';

/** `phone`: a row updates the contact with the same phone, if there is one. `none`: every row creates a contact. */
export const dedupeModes = ['phone', 'none'] as const;
export type Dedupe = (typeof dedupeModes)[number];

export type Rejection = { row: number; reason: string };
/** `rejected` has the first 1,000 rejections; `total` counts all rows, so total - created - updated rows were rejected. */
export type ImportResult = { created: number; updated: number; rejected: Rejection[]; total: number };

export const maxRejections = 1000;
/** Rows per transaction: few enough that other requests wait only milliseconds, enough that commits cost little. */
const maxBatchRows = 500;
/** Rows can be large, so a batch also ends at this many characters. */
const maxBatchCharacters = 1_048_576;

type ContactChanges = Partial<ContactFields>;

/**
 * Creates and updates contacts from the rows of a CSV file, one transaction per batch. A faulty row is rejected alone, committed
 * batches survive a crash of the process, and memory holds one batch at a time.
 * @throws invalid when the file is empty, or its header is too long, names no contact field, or names a column twice
 */
export async function importContacts(app: App, orgId: string, upload: Upload, dedupe: Dedupe): Promise<ImportResult> {
  const { openTable } = await import('./table.ts'); // loaded with the first import, so that starting does not load the parser
  const { columns, rows } = await openTable(upload);
  const result: ImportResult = { created: 0, updated: 0, rejected: [], total: 0 };
  let batch: ContactChanges[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    const { created, updated } = await transact(app.db, orgId, (tx) => writeBatch(app, tx, orgId, batch, dedupe));
    result.created += created;
    result.updated += updated;
    batch = [];
    characters = 0;
    await nextMacrotask();
  };
  for await (const row of rows) {
    result.total = row.row;
    // Rejected rows end no batch, and a large file may have nothing else.
    if (row.row % maxBatchRows === 0) await nextMacrotask();
    const read = readRow(upload, columns, row);
    if ('reason' in read) {
      if (result.rejected.length < maxRejections) result.rejected.push({ row: row.row, reason: read.reason });
      continue;
    }
    batch.push(read.fields);
    characters += read.characters;
    if (batch.length >= maxBatchRows || characters >= maxBatchCharacters) await flush();
  }
  if (batch.length > 0) await flush();
  return result;
}

type ReadRow = { reason: string } | { fields: ContactChanges; characters: number };

function readRow(upload: Upload, columns: readonly Column[], row: TableRow): ReadRow {
  if ('error' in row) return { reason: row.error };
  const { input, faults } = rowInput(columns, row.cells);
  if (faults.length === 0) faults.push(...upload.rowFaults(input));
  if (faults.length > 0) return { reason: reasonOf(faults) };
  return {
    fields: providedFields(input),
    characters: row.cells.reduce((sum, cell) => sum + cell.length, row.cells.length),
  };
}

type Counts = { created: number; updated: number };

async function writeBatch(
  app: App,
  tx: Tx,
  orgId: string,
  batch: readonly ContactChanges[],
  dedupe: Dedupe,
): Promise<Counts> {
  const phones = dedupe === 'phone' ? batch.flatMap(({ phone }) => phone ?? []) : [];
  const byPhone = await contactsByPhone(tx, orgId, phones);
  const before = [...byPhone.values()];
  const written = new Map<string, Contact>();
  const counts: Counts = { created: 0, updated: 0 };
  for (const fields of batch) {
    const phone = dedupe === 'phone' ? fields.phone : undefined;
    const existing = phone ? byPhone.get(phone) : undefined;
    const contact = existing ? mergeContact(app, existing, fields) : newContact(app, orgId, fields);
    counts[existing ? 'updated' : 'created'] += 1;
    written.set(contact.id, contact);
    if (phone) byPhone.set(phone, contact);
  }
  await store.saveContacts(tx, [...written.values()]);
  for (const contact of before) {
    const matters = affectsCalls(contact, written.get(contact.id) ?? contact);
    if (matters) await app.events.emit(app, tx, contactChanged, { orgId, contactId: contact.id });
  }
  return counts;
}

const mergeMetadata = (before: JsonObject, changes: JsonObject): JsonObject =>
  before.text === '{}' ? changes : JsonObject.of({ ...before.parsed(), ...changes.parsed() });

/** Changes only the fields that the row has, and of the metadata only its keys. */
const mergeContact = (app: App, contact: Contact, fields: ContactChanges): Contact => ({
  ...contact,
  ...fields,
  ...(fields.metadata ? { metadata: mergeMetadata(contact.metadata, fields.metadata) } : {}),
  updatedAt: app.clock.now(),
});
