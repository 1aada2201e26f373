import { nextMacrotask } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { JsonObject } from '../../../base/json.ts';
import { partition } from '../../../base/partition.ts';
import { type Queryable, transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Upload } from '../../../kernel/route.ts';
import { changesBetween, type ImportedChanges, recordImportedChanges } from '../../requests/changes.ts';
import type { NewAuditEntry } from '../../requests/audit.ts';
import { affectsCalls, type Contact, type ContactFields, isNewVersion } from '../contact.ts';
import { providedFields } from '../contact-input.ts';
import { contactChanged } from '../events.ts';
import { presentPerson } from '../person-wire.ts';
import { contactsByPhone, newContact, saveContacts } from '../service.ts';
import type { Mapping } from './columns.ts';
import {
  type Decision,
  decide,
  type Dedupe,
  type Facts,
  type Joiner,
  type OnDuplicate,
  type ValidRow,
} from './decide.ts';
import {
  emptyResult,
  type ImportCounts,
  type ImportResult,
  listed,
  maxContactIds,
  maxRejectedChars,
  maxSampleRows,
} from './outcome.ts';
import { createPhoneRows, type PhoneRows } from './phone-rows.ts';
import type { ReadRow } from './reader.ts';
import { type KeptKind, keepRows, type KeptRow } from './kept-rows.ts';
import type { ImportCounters } from './kept-rows-store.ts';
import { recordEnd, recordImport, recordProgress, underId } from './progress.ts';
import { reasonOf, rejectionOf, without } from './rejection.ts';
import { type StoredRow, storedCells } from './stored-cells.ts';
import { type OpenTable, tableFilesOf } from './thread.ts';

export type ImportOptions = {
  /** The caller's id for the import; null: a new one. */
  importId: string | null;
  dedupe: Dedupe;
  onDuplicate: OnDuplicate;
  mapping: Mapping;
  /** Two letters; null means the configured country. */
  country: string | null;
  charset: string | null;
  /** Tells what an import would do, and writes nothing. */
  dryRun: boolean;
  /** Rejects a row with any cell that cannot be read, instead of leaving out the cell. */
  strict: boolean;
  /** Whether to answer the contacts' ids. */
  withIds: boolean;
  /** Whether to answer the cells of rejected rows. */
  withCells: boolean;
};

export type JoiningContact = { contact: Contact; tags: string[] };

/** The collection that imported contacts join, such as a campaign. */
export type Destination = {
  /**
   * Returns a function that tells why a contact cannot join.
   * @throws when no contact can join, or can no longer
   */
  refusals(db: Queryable, phones: readonly string[]): Promise<(joiner: Joiner) => string | undefined>;
  join(tx: Tx, contacts: readonly JoiningContact[]): Promise<void>;
  /** Records the contacts that were refused, so that it can be asked why. */
  leaveOut(tx: Tx, contacts: readonly Contact[]): Promise<void>;
};

export type Imported = { result: ImportResult; counts: ImportCounts };

export type ImportPlan = {
  destination?: Destination;
  /** Who imports, by which operation. */
  by: Pick<NewAuditEntry, 'actor' | 'operation'>;
  /** Records what the batches did that were committed before the import failed. */
  recordCutOff: (tx: Tx, imported: Imported) => Promise<void>;
};

type Running = {
  app: App;
  orgId: string;
  upload: Upload;
  options: ImportOptions;
  destination: Destination | undefined;
  by: ImportPlan['by'];
  recordCutOff: ImportPlan['recordCutOff'];
  phones: PhoneRows;
  result: ImportResult;
  counts: ImportCounts;
};

/** A row that is not imported as it is in the file. */
type NotedRow = { row: number; kind: KeptKind; reason: string; characters: number };

/**
 * Creates and updates contacts from the rows of a CSV or XLSX file, one transaction per batch. A faulty row is rejected alone, committed
 * batches survive a crash of the process, and memory holds one batch at a time.
 * @throws conflict when the caller's id is taken; invalid when the file cannot be read, or its header or the mapping is of no use
 */
export async function importContacts(
  app: App,
  orgId: string,
  upload: Upload,
  options: ImportOptions,
  { destination, by, recordCutOff }: ImportPlan,
): Promise<Imported> {
  const reading = {
    file: upload.file,
    charset: options.charset ?? charsetIn(upload.contentType),
    mapping: options.mapping,
    takesTags: destination !== undefined,
    country: options.country ?? app.config.contacts.default_country,
  };
  const importId = options.dryRun ? null : (options.importId ?? app.ids.make());
  const imported = () =>
    tableFilesOf(app).using(orgId, reading, async (table) => {
      const result = emptyResult(table.columns);
      if (options.withCells) {
        result.rejected_cells = [];
        result.stored_cells = [];
      }
      if (options.withIds && !options.dryRun) result.contact_ids = [];
      const counts = { rejectedChars: 0, skipped: 0, added: 0 };
      const phones = createPhoneRows();
      result.import_id = importId;
      return run({ app, orgId, upload, options, destination, by, recordCutOff, phones, result, counts }, table);
    });
  return importId === null ? imported() : underId(app, { orgId, id: importId }, imported);
}

export const charsetIn = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? null;

async function run(running: Running, table: OpenTable): Promise<Imported> {
  const { result, counts, options } = running;
  try {
    await writeBatches(running, table);
    if (!options.dryRun) await noteEnd(running, true);
  } catch (error) {
    if (hasWritten(running)) await noteCutOff(running);
    if (!options.dryRun) await noteEnd(running, false);
    throw error;
  }
  result.sample = table.sample().map((cells) => [...cells]);
  return { result, counts };
}

const hasWritten = ({ options, result, counts }: Running): boolean =>
  !options.dryRun && result.created + result.updated + counts.added > 0;

/**
 * Records what the committed batches did. Their contacts stay, so the records that are written at the end of an import must not be missing.
 */
async function noteCutOff({ app, orgId, recordCutOff, result, counts }: Running): Promise<void> {
  await unguarded(() => transact(app.db, orgId, (tx) => recordCutOff(tx, { result, counts }))).catch((err: unknown) =>
    app.log.warn({ err }, 'an import that failed halfway could not be recorded'),
  );
}

async function noteEnd({ app, orgId, result }: Running, isDone: boolean): Promise<void> {
  await recordEnd(app, { id: result.import_id!, orgId, isDone }).catch((err: unknown) =>
    app.log.warn({ err }, 'the end of an import could not be recorded'),
  );
}

async function writeBatches(running: Running, table: OpenTable): Promise<void> {
  const { app, orgId, options, upload } = running;
  refuseAbandoned(options, upload);
  let isFirst = true;
  for await (const rows of table.batches()) {
    refuseAbandoned(options, upload);
    const noted: NotedRow[] = [];
    const batch = rows.flatMap((row) => validRow(running, row, noted) ?? []);
    const kept = await withCells(running, table, noted);
    if (options.dryRun) await decideBatch(running, app.db, batch);
    else if (rows.length > 0 || isFirst) {
      const key = { orgId, id: running.result.import_id! };
      const begun = isFirst ? { ...key, columns: running.result.columns } : undefined;
      const committed = await transact(app.db, orgId, async (tx) => {
        if (begun) await recordImport(app, tx, begun);
        await keepRows(tx, key, kept);
        const written = batch.length === 0 ? [] : await writeBatch(running, tx, batch);
        await recordProgress(app, tx, key, countersAfter(running, written));
        return written;
      });
      for (const { decision, contact } of committed) noteWritten(running, decision, contact);
      isFirst = false;
    }
    await nextMacrotask(); // also after a batch of rejected rows, whose validation takes as long
  }
}

/** The cells of the rows that are kept for a day, and of those that the answer shows. */
async function withCells(
  { options, result, counts }: Running,
  table: OpenTable,
  noted: NotedRow[],
): Promise<KeptRow[]> {
  if (noted.length === 0 || (options.dryRun && !options.withCells)) return [];
  const cells = await table.cellsOf(noted.map(({ row }) => row));
  const kept = noted.map((row, index) => ({ ...row, cells: cells[index]! }));
  for (const row of kept) if (row.kind === 'rejected') showCells(result, counts, row);
  return kept;
}

/**
 * Ends an import whose sender has gone: nobody would read its answer, and the organization's next import waits for it. What was committed
 * stays.
 * @throws unavailable
 */
function refuseAbandoned({ dryRun }: ImportOptions, upload: Upload): void {
  if (upload.isAbandoned())
    throw new AppError('unavailable', `The connection was closed during the ${dryRun ? 'dry run' : 'import'}.`);
}

/** The row without the cells that could not be read, which are noted; undefined for a rejected row. */
function validRow(
  { upload, options, destination, result }: Running,
  row: ReadRow,
  noted: NotedRow[],
): ValidRow | undefined {
  result.total = row.row;
  const input = row.metadata === null ? row.input : { ...row.input, metadata: new JsonObject(row.metadata) };
  const isRead = row.error === null && !row.faults.some(({ path }) => path === '');
  const faults = [...row.faults, ...(isRead ? upload.rowFaults(input) : [])];
  const readable = without(input, faults);
  const rejection = row.error ?? rejectionOf(readable, faults, { joins: destination !== undefined, ...options });
  showStored(result, row, rejection === null ? { fields: readable, tags: row.tags } : null);
  if (rejection !== null) {
    result.rejected_count += 1;
    listed(result.rejected, { row: row.row, reason: rejection });
    noted.push({ row: row.row, kind: 'rejected', reason: rejection, characters: row.characters });
    return undefined;
  }
  result.warning_count += faults.length;
  if (faults.length > 0)
    noted.push({ row: row.row, kind: 'warnings', reason: reasonOf(faults), characters: row.characters });
  for (const { path, message } of faults) listed(result.warnings, { row: row.row, field: path, reason: message });
  return { row: row.row, fields: providedFields(readable), tags: row.tags };
}

/** For the rows of the sample: those that have cells. */
function showStored({ stored_cells: shown, columns }: ImportResult, row: ReadRow, stored: StoredRow | null): void {
  if (!shown || shown.length >= maxSampleRows || row.characters === 0) return;
  shown.push(stored && storedCells(columns, stored));
}

function showCells(
  { rejected_cells: kept }: ImportResult,
  counts: ImportCounts,
  { cells, characters }: NotedRow & KeptRow,
): void {
  if (!kept) return;
  const fits = counts.rejectedChars + characters <= maxRejectedChars;
  if (fits) counts.rejectedChars += characters;
  listed(kept, fits ? [...cells] : []);
}

async function factsOf(
  { orgId, destination }: Running,
  db: Queryable,
  batch: readonly ValidRow[],
): Promise<Facts & { known: Map<string, Contact> }> {
  const phones = [...new Set(batch.flatMap(({ fields }) => fields.phone ?? []))];
  const known = await contactsByPhone(db, orgId, phones);
  const refusal = await destination?.refusals(db, phones);
  return { known, ...(refusal ? { refusal } : {}) };
}

async function decideBatch(running: Running, db: Queryable, batch: readonly ValidRow[]): Promise<void> {
  const facts = await factsOf(running, db, batch);
  for (const row of batch) note(running, decide(row, facts, running.phones, running.options));
}

function note({ result, counts, destination }: Running, { row, action, firstRow, refusal }: Decision): void {
  if (action === 'create') result.created += 1;
  if (action === 'update') result.updated += 1;
  if (firstRow !== null) listed(result.repeated, { row, first_row: firstRow });
  const reason = destination ? refusal : action === 'keep' ? 'the phone number is known' : null;
  if (reason === null) {
    if (destination) counts.added += 1;
    return;
  }
  counts.skipped += 1;
  listed(result.skipped, { row, reason });
}

function noteWritten(running: Running, decision: Decision, contact: Contact): void {
  note(running, decision);
  const ids = running.result.contact_ids;
  if (ids && ids.length < maxContactIds) ids.push(contact.id);
}

type Written = { decision: Decision; contact: Contact };

/** The counts of the import once these rows are committed. */
function countersAfter({ result }: Running, written: readonly Written[]): ImportCounters {
  const counted = (action: Decision['action']): number =>
    written.filter(({ decision }) => decision.action === action).length;
  return {
    rowsRead: result.total,
    created: result.created + counted('create'),
    updated: result.updated + counted('update'),
    rejectedCount: result.rejected_count,
    warningCount: result.warning_count,
  };
}

async function writeBatch(running: Running, tx: Tx, batch: readonly ValidRow[]): Promise<Written[]> {
  const { app, orgId, destination } = running;
  const facts = await factsOf(running, tx, batch);
  const before = [...facts.known.values()];
  const { written, contacts } = contactsOf(running, batch, facts);
  await saveContacts(app, tx, [...contacts.values()]);
  await recordImportedChanges(app, tx, running.by, changesIn(before, contacts));
  for (const contact of before) {
    const matters = affectsCalls(contact, contacts.get(contact.id) ?? contact);
    if (matters) await app.events.emit(app, tx, contactChanged, { orgId, contactId: contact.id });
  }
  if (!destination) return written;
  const asWritten = ({ contact }: Written): Contact => contacts.get(contact.id) ?? contact;
  const [joining, refused] = partition(written, ({ decision }) => decision.refusal === null);
  await destination.join(
    tx,
    joining.map((each) => ({ contact: asWritten(each), tags: each.decision.tags })),
  );
  await destination.leaveOut(tx, refused.map(asWritten));
  return written;
}

/** What a batch changed in contacts that existed before; what their versions do not count is left out. */
function changesIn(before: readonly Contact[], contacts: ReadonlyMap<string, Contact>): ImportedChanges[] {
  return before.flatMap((contact) => {
    const after = contacts.get(contact.id);
    if (!after || !isNewVersion(contact, after)) return [];
    const changes = changesBetween(presentPerson(contact), presentPerson(after));
    return [{ contactId: contact.id, version: contact.version + 1, changes }];
  });
}

/** The contact of each row, and the new or changed contacts by id, each in the state in which the last row about it leaves it. */
function contactsOf(
  { app, orgId, options, phones }: Running,
  batch: readonly ValidRow[],
  facts: Facts,
): { written: Written[]; contacts: Map<string, Contact> } {
  const contacts = new Map<string, Contact>();
  const byPhone = new Map(facts.known);
  const written = batch.map((row): Written => {
    const decision = decide(row, facts, phones, options);
    const existing = decision.action === 'create' ? undefined : byPhone.get(row.fields.phone!);
    if (existing && decision.action === 'keep') return { decision, contact: existing };
    // The contact of an earlier row may have been deleted since; then this row creates it anew.
    const contact = existing ? mergeContact(app, existing, row.fields) : newContact(app, orgId, row.fields);
    contacts.set(contact.id, contact);
    if (options.dedupe === 'phone' && contact.phone !== null) byPhone.set(contact.phone, contact);
    return { decision, contact };
  });
  return { written, contacts };
}

const mergeMetadata = (before: JsonObject, changes: JsonObject): JsonObject =>
  before.text === '{}' ? changes : JsonObject.of({ ...before.parsed(), ...changes.parsed() });

/** Changes only the fields that the row has, and in the metadata only the keys that it has. */
const mergeContact = (app: App, contact: Contact, fields: Partial<ContactFields>): Contact => ({
  ...contact,
  ...fields,
  ...(fields.metadata ? { metadata: mergeMetadata(contact.metadata, fields.metadata) } : {}),
  updatedAt: app.clock.now(),
});
