import { isoOf, nextMacrotask } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import type { Download } from '../../../kernel/route.ts';
import type { Contact } from '../contact.ts';
import * as store from '../store.ts';
import { csvLine } from './cells.ts';
import { historiesOf, historyColumns } from './history.ts';

/** The columns of an export, in order: the contact's fields as in the API, with null as an empty cell. */
const columns: ReadonlyArray<readonly [name: string, cellOf: (contact: Contact) => string | null]> = [
  ['id', ({ id }) => id],
  ['first_name', ({ firstName }) => firstName],
  ['last_name', ({ lastName }) => lastName],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => phone],
  ['company', ({ company }) => company],
  ['metadata', ({ metadata }) => metadata.text],
  ['timezone', ({ timezone }) => timezone],
  ['do_not_call', ({ doNotCall }) => String(doNotCall)],
  ['created_at', ({ createdAt }) => isoOf(createdAt)],
  ['updated_at', ({ updatedAt }) => isoOf(updatedAt)],
];

const pageSize = 200;
/** A contact may have many calls. */
const historyPageSize = 20;

/** All contacts that exist now, oldest first, so that importing the file creates them in the same order. */
export async function exportContacts(
  app: App,
  orgId: string,
  { withHistory }: { withHistory: boolean },
): Promise<Download> {
  const newest = await store.newestContactId(app.db, orgId);
  const content = withHistory ? linesWithHistory(app, orgId, newest) : lines(app, orgId, newest);
  return { fileName: `contacts-${isoOf(app.clock.now()).slice(0, 10)}.csv`, content };
}

const cellsOf = (contact: Contact): string[] => columns.map(([, cellOf]) => cellOf(contact) ?? '');

async function* linesWithHistory(app: App, orgId: string, newest: string | null): AsyncGenerator<string> {
  yield csvLine([...columns.map(([name]) => name), ...historyColumns]);
  for await (const page of pagesOf(app, orgId, newest, historyPageSize)) {
    const historyOf = await historiesOf(app, page);
    yield page.map((contact) => csvLine([...cellsOf(contact), ...historyOf(contact.id)])).join('');
  }
}

async function* lines(app: App, orgId: string, newest: string | null): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const page of pagesOf(app, orgId, newest, pageSize))
    yield page.map((contact) => csvLine(cellsOf(contact))).join('');
}

async function* pagesOf(app: App, orgId: string, newest: string | null, limit: number): AsyncGenerator<Contact[]> {
  let after = '';
  while (newest !== null) {
    const page = await store.contactsBetween(app.db, orgId, { afterId: after, untilId: newest, limit });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
    await nextMacrotask();
  }
}
