import { isoOf, nextMacrotask } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import type { Download } from '../../../kernel/route.ts';
import type { Contact } from '../contact.ts';
import * as store from '../store.ts';
import { csvLine } from './cells.ts';

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

/** All contacts that exist now, oldest first, so that importing the file creates them in the same order. */
export async function exportContacts(app: App, orgId: string): Promise<Download> {
  const newest = await store.newestContactId(app.db, orgId);
  return { fileName: `contacts-${isoOf(app.clock.now()).slice(0, 10)}.csv`, content: lines(app, orgId, newest) };
}

async function* lines(app: App, orgId: string, newest: string | null): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  let after = '';
  while (newest !== null) {
    const page = await store.contactsBetween(app.db, orgId, { afterId: after, untilId: newest, limit: pageSize });
    if (page.length === 0) return;
    yield page.map((contact) => csvLine(columns.map(([, cellOf]) => cellOf(contact) ?? ''))).join('');
    after = page.at(-1)!.id;
    await nextMacrotask();
  }
}
