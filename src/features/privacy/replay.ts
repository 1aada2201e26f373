import { nextMacrotask } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { callsOfPerson } from '../calls/erasure.ts';
import { keepNumberAlone } from '../contacts/do-not-call.ts';
import { beginErasure, beginErasureOfNumber, hashOf, runErasure } from './erasure.ts';
import * as store from './store.ts';

/** An erasure as another database of the same installation has it. */
export type EarlierErasure = Omit<store.ErasureRow, 'subject_sealed'>;

/** What a restore knows of the database that it replaces. */
export type EarlierState = {
  erasures: readonly EarlierErasure[];
  /** The do-not-call lists, in portions. */
  listed: () => Iterable<ReadonlyArray<{ organization_id: string; phone: string }>>;
};

const contactsAtOnce = 2000;
const phonesAtOnce = 2000;
const maxCalls = 100_000;

/**
 * Carries out erasures again that a restored backup does not know, since it is older than they are. Returns the erased calls, whose
 * recordings must not come back.
 */
export async function replayErasures(app: App, { erasures, listed }: EarlierState): Promise<string[]> {
  const calls: string[] = [];
  const withoutContact: EarlierErasure[] = [];
  const unknown: EarlierErasure[] = [];
  // The backup is newer than those that it knows, and its own jobs go on with them.
  for (const erasure of erasures) if (!(await store.erasureById(app.db, erasure.id))) unknown.push(erasure);
  for (const erasure of unknown) {
    const contactId = await contactWith(app, erasure);
    if (contactId === undefined) withoutContact.push(erasure);
    else calls.push(...(await eraseAgain(app, erasure, contactId)));
  }
  for (const [orgId, ofOrganization] of Map.groupBy(withoutContact, (erasure) => erasure.organization_id)) {
    const phones = await phonesWith(app, orgId, new Set(ofOrganization.map((erasure) => erasure.phone_hash)));
    for (const erasure of ofOrganization) {
      const phone = phones.get(erasure.phone_hash ?? '');
      if (phone !== undefined) calls.push(...(await eraseNumberAgain(app, erasure, phone)));
      else await recordKnown(app, erasure);
    }
  }
  await keepListed(app, unknown, listed);
  return calls;
}

/** Who opted out after the backup and was erased has left the number on the do-not-call list. It must not be called again. */
async function keepListed(
  app: App,
  erasures: readonly EarlierErasure[],
  listed: EarlierState['listed'],
): Promise<void> {
  const keeping = erasures.filter(({ keep_do_not_call: keeps, phone_hash: hash }) => keeps === 1 && hash !== null);
  if (keeping.length === 0) return;
  const wanted = new Set(keeping.map(({ organization_id: orgId, phone_hash: hash }) => `${orgId} ${hash}`));
  for (const part of listed()) {
    const left = part.filter(({ organization_id: orgId, phone }) => wanted.has(`${orgId} ${hashOf(app, phone)}`));
    for (const { organization_id: orgId, phone } of left)
      await transact(app.db, orgId, (tx) => keepNumberAlone(app, tx, orgId, phone, true));
    await nextMacrotask();
  }
}

const recordKnown = (app: App, erasure: EarlierErasure): Promise<void> =>
  transact(app.db, erasure.organization_id, (tx) =>
    store.insertErasure(tx, { ...erasure, done_at: erasure.done_at ?? erasure.requested_at, subject_sealed: null }),
  );

async function eraseAgain(app: App, erasure: EarlierErasure, contactId: string): Promise<string[]> {
  const { id, organization_id: orgId, keep_do_not_call: keeps } = erasure;
  const calls = await callsOfPerson(app.db, orgId, { contactId, phone: null }, maxCalls);
  await beginErasure(app, orgId, contactId, { keepDoNotCall: keeps === 1, id });
  await finish(app, erasure);
  return calls;
}

/** The contact was made after the backup, but the backup has calls with its number. */
async function eraseNumberAgain(app: App, erasure: EarlierErasure, phone: string): Promise<string[]> {
  const { id, organization_id: orgId, keep_do_not_call: keeps, contact_hash: contactHash } = erasure;
  const calls = await callsOfPerson(app.db, orgId, { contactId: id, phone }, maxCalls);
  await beginErasureOfNumber(app, orgId, { id, keepDoNotCall: keeps === 1, contactHash, phone });
  await finish(app, erasure);
  return calls;
}

async function finish(app: App, { id, organization_id: orgId }: EarlierErasure): Promise<void> {
  const result = await runErasure(app, id);
  if ('write' in result) await transact(app.db, orgId, (tx) => result.write(tx));
}

/** The numbers that no contact has and that have one of the hashes, by it. */
async function phonesWith(app: App, orgId: string, hashes: ReadonlySet<string | null>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const phones of store.phonesOf(app.db, orgId, phonesAtOnce)) {
    for (const phone of phones) {
      const hash = hashOf(app, phone);
      if (hashes.has(hash) && !(await store.hasContactWith(app.db, orgId, phone))) found.set(hash, phone);
    }
    await nextMacrotask();
  }
  return found;
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
