import { nextMacrotask } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { callsOfPerson } from '../calls/erasure.ts';
import { beginErasure, hashOf, runErasure } from './erasure.ts';
import * as store from './store.ts';

/** An erasure as another database of the same installation has it. */
export type EarlierErasure = Omit<store.ErasureRow, 'subject_sealed'>;

const contactsAtOnce = 2000;
const maxCalls = 100_000;

/**
 * Carries out erasures again that a restored backup does not know, since it is older than they are. Returns the erased calls, whose
 * recordings must not come back.
 */
export async function replayErasures(app: App, erasures: readonly EarlierErasure[]): Promise<string[]> {
  const calls: string[] = [];
  for (const erasure of erasures) {
    if (await store.erasureById(app.db, erasure.id)) continue; // the backup is newer, and its own job goes on
    const known = { ...erasure, done_at: erasure.done_at ?? erasure.requested_at, subject_sealed: null };
    const contactId = await contactWith(app, erasure);
    if (contactId !== undefined) calls.push(...(await eraseAgain(app, erasure, contactId)));
    else await transact(app.db, erasure.organization_id, (tx) => store.insertErasure(tx, known));
  }
  return calls;
}

async function eraseAgain(app: App, erasure: EarlierErasure, contactId: string): Promise<string[]> {
  const { id, organization_id: orgId, keep_do_not_call: keeps } = erasure;
  const calls = await callsOfPerson(app.db, orgId, { contactId, phone: null }, maxCalls);
  await beginErasure(app, orgId, contactId, { keepDoNotCall: keeps === 1, id });
  const result = await runErasure(app, id);
  if ('write' in result) await transact(app.db, orgId, (tx) => result.write(tx));
  return calls;
}

/** The contact that an erasure was about, recognized by the hash of its id. */
async function contactWith(app: App, { organization_id: orgId, contact_hash: hash }: EarlierErasure) {
  let after = '';
  for (;;) {
    const ids = await store.contactIdsAfter(app.db, orgId, { after, limit: contactsAtOnce });
    const found = ids.find((id) => hashOf(app, id) === hash);
    if (found !== undefined || ids.length === 0) return found;
    after = ids.at(-1)!;
    await nextMacrotask();
  }
}
