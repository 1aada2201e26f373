import { conflict, notFound } from '../../../base/errors.ts';
import { isInTransaction, type Queryable, transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import { isSimulated } from '../../calls/carriers/placing.ts';
import type { ScriptedCall } from '../../calls/call.ts';
import { type ContactWithoutMetadata, nameOf } from '../../contacts/contact.ts';
import type { Destination } from '../../contacts/import/import.ts';
import * as people from '../../contacts/service.ts';
import type { CapCode } from '../../calls/contact-caps.ts';
import { holdsOn } from '../dialing/held.ts';
import { findNumber } from '../../numbers/service.ts';
import type { Actor } from '../../requests/audit.ts';
import { asSeen, type Campaign, type CampaignContact } from '../campaign.ts';
import { causeNow } from './cause.ts';
import { recordLeftOut } from './left-out.ts';
import * as lists from './list-store.ts';
import { searchCampaignContacts } from '../background-tasks.ts';
import * as campaignContacts from './store.ts';
import { recordEvent } from '../results/history.ts';
import { tickAt } from '../kinds.ts';
import { forgetPlans } from '../plan/cache.ts';
import { campaignOf } from '../service.ts';
import { requireSettled } from '../reopening.ts';
import * as store from '../store.ts';
import { cancelExpired, cancelPending } from '../completion.ts';

export type NewCampaignContact = people.ContactInput & { tags?: string[]; simulate?: ScriptedCall };
export type ContactsToAdd = { contactIds: readonly string[]; contacts: readonly NewCampaignContact[] };
export type SkippedContact = { contact_id: string; reason: string } | { index: number; reason: string };
export type AddedContacts = {
  added: number;
  skipped: SkippedContact[];
  /** How many of the added contacts lost their `simulate`, because the campaign's carrier is no simulated one. */
  unscripted: number;
};

/** A contact to add. If the request gives its fields instead of an id, the contact is created when it is added. */
type Candidate = {
  contact: ContactWithoutMetadata | people.ContactInput;
  phone: string | null;
  doNotCall: boolean;
  tags: string[];
  simulate: ScriptedCall | null;
  /** How the request names it. */
  key: { contact_id: string } | { index: number };
};

/**
 * Adds one batch of a request's contacts. `firstIndex` is the index in the request of the first of `contacts`; contacts that are skipped are
 * named by that index.
 */
export async function addBatch(
  app: App,
  tx: Tx,
  campaign: Campaign,
  { contactIds, contacts, firstIndex }: ContactsToAdd & { firstIndex: number },
): Promise<AddedContacts> {
  const skipped: SkippedContact[] = [];
  const candidates = [
    ...(await candidatesById(tx, campaign.orgId, contactIds, skipped)),
    ...(await candidatesByFields(tx, campaign.orgId, contacts, firstIndex)),
  ];
  const accepted = await accept(tx, campaign, candidates, skipped);
  const unscripted = await withoutScripts(app, tx, campaign, accepted);
  await add(app, tx, campaign, accepted);
  await recordLeftOut(
    app,
    tx,
    campaign,
    refusedAmong(
      candidates.map(({ contact }) => contact),
      accepted,
    ),
  );
  return { added: accepted.length, skipped, unscripted };
}

/** Drops what only the simulated carrier takes if the campaign has another one; returns how many contacts that concerns. */
async function withoutScripts(app: App, tx: Tx, campaign: Campaign, accepted: readonly Candidate[]): Promise<number> {
  const scripted = accepted.filter(({ simulate }) => simulate !== null);
  if (scripted.length === 0) return 0;
  const number =
    campaign.phoneNumberId === null ? undefined : await findNumber(tx, campaign.orgId, campaign.phoneNumberId);
  if (isSimulated(app, number?.carrier ?? null)) return 0;
  for (const candidate of scripted) candidate.simulate = null;
  return scripted.length;
}

/** Those of the contacts that exist and were not accepted. */
function refusedAmong(
  contacts: ReadonlyArray<Candidate['contact']>,
  accepted: readonly Candidate[],
): ContactWithoutMetadata[] {
  const joined = new Set(accepted.map(({ contact }) => contact));
  return contacts.filter((contact) => 'id' in contact && !joined.has(contact)) as ContactWithoutMetadata[];
}

/** Why a contact of an earlier campaign is not called again. */
export type EarlierRefusal =
  | 'deleted'
  | 'no_phone'
  | 'invalid_number'
  | 'do_not_call'
  | 'repeated_number'
  | CapCode
  | 'guard_hours';

/**
 * Adds the contacts of an earlier campaign that may still be called, as they are now. Returns why each of the others may not, in any
 * order.
 */
export async function addEarlierContacts(
  app: App,
  tx: Tx,
  campaign: Campaign,
  earlier: readonly CampaignContact[],
): Promise<EarlierRefusal[]> {
  const ids = earlier.flatMap(({ contactId }) => contactId ?? []);
  const found = new Map((await people.findContacts(tx, campaign.orgId, ids)).map((contact) => [contact.id, contact]));
  const phones = [...found.values()].flatMap(({ phone }) => phone ?? []);
  const { inCampaign, isDoNotCall } = await refusals(tx, campaign, phones);
  const heldBack = await holdsOn(app, tx, campaign, phones);
  const refused: EarlierRefusal[] = [];
  const accepted: Candidate[] = [];
  for (const { contactId, tags, numberInvalid, phone: calledPhone } of earlier) {
    const contact = contactId === null ? undefined : found.get(contactId);
    const phone = contact?.phone ?? null;
    if (!contact) refused.push('deleted');
    else if (phone === null) refused.push('no_phone');
    else if (numberInvalid && phone === calledPhone) refused.push('invalid_number');
    else if (isDoNotCall({ phone, doNotCall: contact.doNotCall })) refused.push('do_not_call');
    else if (inCampaign.has(phone)) refused.push('repeated_number');
    else if (heldBack(contact.timezone ?? '', phone)) refused.push(heldBack(contact.timezone ?? '', phone)!);
    else {
      accepted.push(candidateOf(contact, tags, { contact_id: contact.id }));
      inCampaign.add(phone);
    }
  }
  await add(app, tx, campaign, accepted);
  await recordLeftOut(app, tx, campaign, refusedAmong([...found.values()], accepted));
  return refused;
}

/** @throws conflict while the contacts of a campaign that was just completed are being expired */
export async function openCampaignOf(db: Queryable, orgId: string, campaignId: string): Promise<Campaign> {
  const campaign = await campaignOf(db, orgId, campaignId);
  requireSettled(campaign);
  return campaign;
}

/**
 * A campaign as the destination of an import.
 * @throws conflict when it was completed a moment ago, now or by the time that a batch is written
 */
export async function campaignDestination(app: App, orgId: string, campaignId: string): Promise<Destination> {
  await openCampaignOf(app.db, orgId, campaignId);
  return {
    async refusals(db, phones) {
      return (await refusals(db, await openCampaignOf(db, orgId, campaignId), phones)).refusal;
    },
    async join(tx, joining) {
      const campaign = await openCampaignOf(tx, orgId, campaignId);
      const candidates = joining.map(({ contact, tags }) => candidateOf(contact, tags, { contact_id: contact.id }));
      await add(app, tx, campaign, candidates);
    },
    leaveOut: (tx, refused) => recordLeftOut(app, tx, { id: campaignId, orgId }, refused),
  };
}

async function candidatesById(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  skipped: SkippedContact[],
): Promise<Candidate[]> {
  const found = new Map((await people.findContacts(tx, orgId, ids)).map((contact) => [contact.id, contact]));
  const candidates: Candidate[] = [];
  for (const id of ids) {
    const contact = found.get(id);
    if (contact) candidates.push(candidateOf(contact, [], { contact_id: id }));
    else skipped.push({ contact_id: id, reason: 'no such contact' });
  }
  return candidates;
}

const candidateOf = (contact: ContactWithoutMetadata, tags: string[], key: Candidate['key']): Candidate => ({
  contact,
  phone: contact.phone,
  doNotCall: contact.doNotCall,
  tags,
  simulate: null,
  key,
});

/** If the phone of an entry belongs to an existing contact, adds that contact instead of creating one. */
async function candidatesByFields(
  tx: Tx,
  orgId: string,
  entries: readonly NewCampaignContact[],
  firstIndex: number,
): Promise<Candidate[]> {
  const phones = entries.map((entry) => entry.phone).filter((phone) => typeof phone === 'string');
  const byPhone = await people.contactsByPhone(tx, orgId, phones);
  return entries.map(({ tags = [], simulate = null, ...input }, at): Candidate => {
    const index = firstIndex + at;
    const contact = input.phone ? byPhone.get(input.phone) : undefined;
    const doNotCall = input.do_not_call ?? false;
    if (contact) {
      const known = candidateOf(contact, tags, { index });
      return { ...known, doNotCall: known.doNotCall || doNotCall, simulate };
    }
    const phone = input.phone ?? null;
    return { contact: input, phone, doNotCall, tags, simulate, key: { index } };
  });
}

type Joiner = { phone: string; doNotCall: boolean };

/**
 * Reads which phones are on the do-not-call list or already in the campaign. `refusal` tells why a contact cannot be added, if it cannot.
 */
async function refusals(db: Queryable, campaign: Campaign, phones: readonly string[]) {
  // A cancelled contact (removed, or opted out earlier) may be added again.
  const inCampaign = await campaignContacts.activePhonesIn(db, campaign.id, phones);
  const listed = await people.findDoNotCallPhones(db, campaign.orgId, phones);
  const isDoNotCall = ({ phone, doNotCall }: Joiner): boolean => doNotCall || listed.has(phone);
  const refusal = (joiner: Joiner): string | undefined => {
    if (isDoNotCall(joiner)) return 'is on the do-not-call list';
    return inCampaign.has(joiner.phone) ? 'the phone number is already in the campaign' : undefined;
  };
  return { inCampaign, isDoNotCall, refusal };
}

async function accept(
  tx: Tx,
  campaign: Campaign,
  candidates: readonly Candidate[],
  skipped: SkippedContact[],
): Promise<Candidate[]> {
  const phones = candidates.flatMap(({ phone }) => phone ?? []);
  const { inCampaign, refusal } = await refusals(tx, campaign, phones);
  const accepted: Candidate[] = [];
  for (const candidate of candidates) {
    const { phone, doNotCall } = candidate;
    const reason = phone === null ? 'has no phone' : refusal({ phone, doNotCall });
    if (reason !== undefined) skipped.push({ ...candidate.key, reason });
    else accepted.push(candidate);
    if (phone !== null) inCampaign.add(phone);
  }
  return accepted;
}

/** The contact of each candidate. Creates the contacts that do not exist yet. */
async function contactsOf(
  app: App,
  tx: Tx,
  orgId: string,
  candidates: readonly Candidate[],
): Promise<ContactWithoutMetadata[]> {
  const inputs = candidates.flatMap(({ contact }) => ('id' in contact ? [] : [contact]));
  const created = (await people.createContacts(app, tx, orgId, inputs)).values();
  return candidates.map(({ contact }) => ('id' in contact ? contact : created.next().value!));
}

const scriptText = ({ simulate }: Candidate): string | null => (simulate === null ? null : JSON.stringify(simulate));

async function add(app: App, tx: Tx, campaign: Campaign, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const first = await store.takePositions(tx, campaign.id, candidates.length);
  const contacts = await contactsOf(app, tx, campaign.orgId, candidates);
  const rows = contacts.map((contact, index) => ({
    id: app.ids.make(),
    campaign_id: campaign.id,
    contact_id: contact.id,
    position: first + index,
    name: nameOf(contact),
    phone: contact.phone!,
    email: contact.email,
    timezone: contact.timezone ?? '',
    tags: JSON.stringify(candidates[index]!.tags),
    simulate: scriptText(candidates[index]!),
    status: 'pending',
  }));
  const rejoining = await campaignContacts.deleteCancelled(
    tx,
    campaign.id,
    rows.map((row) => row.phone),
  );
  await campaignContacts.insert(tx, rows);
  const zones = Map.groupBy(rows, (row) => row.timezone);
  for (const [zone, { length }] of zones) await campaignContacts.addPending(tx, campaign.id, zone, length);
  await store.addStats(tx, campaign.id, {
    total: rows.length - rejoining,
    failed: -rejoining,
    pending: rows.length,
  });
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
}

/**
 * Cancels a contact's future attempts; the contact stays listed. A final status other than `expired` stays as it is.
 * @throws notFound when there is no such campaign or contact in it; conflict while the contact is on the phone
 */
export function removeCampaignContact(
  app: App,
  orgId: string,
  campaignId: string,
  contactId: string,
  actor: Actor | null = null,
): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const campaignContact = await getCampaignContact(tx, orgId, campaignId, contactId);
    if (campaignContact.status === 'in_progress')
      throw conflict('The contact is on the phone. Hang up the call or wait for its end.');
    if (campaignContact.status !== 'pending' && campaignContact.status !== 'expired') return;
    forgetPlans(app, tx, orgId);
    await recordEvent(app, tx, campaignId, 'contacts_removed', actor, { removed: 1 });
    const cause = causeNow('removed', app.clock.now(), actor);
    if (campaignContact.status === 'pending') await cancelPending(app, tx, campaignContact, cause);
    else await cancelExpired(tx, campaignContact, cause);
  });
}

/** @throws notFound when the organization has no such campaign, or the campaign no such contact */
export async function getCampaignContact(
  db: App['db'],
  orgId: string,
  campaignId: string,
  contactId: string,
): Promise<CampaignContact> {
  const found = await findCampaignContact(db, await campaignOf(db, orgId, campaignId), contactId);
  if (!found) throw notFound('contact in this campaign');
  return found;
}

export async function findCampaignContact(
  db: App['db'],
  campaign: Campaign,
  contactId: string,
): Promise<CampaignContact | undefined> {
  const found = await campaignContacts.find(db, campaign.id, contactId);
  return found && asSeen({ isExpiring: campaign.contactsChange === 'expiring' }, found);
}

/** With at most this many contacts in a campaign, a search compares them all on the main thread, in a millisecond or two. */
const maxSearchedHere = 2000;

/** @throws notFound when the organization has no such campaign */
export async function listCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  filter: lists.CampaignContactFilter,
  page: Page,
): Promise<Paged<CampaignContact>> {
  const { stats } = await campaignOf(app.db, orgId, campaignId);
  const isHere = filter.text === undefined || stats.total <= maxSearchedHere || isInTransaction(app.db);
  if (isHere) return lists.list(app.db, campaignId, filter, page);
  const rows = await app.background.run(searchCampaignContacts, { orgId, campaignId, filter, page }, orgId);
  return lists.presentRows(app.db, campaignId, rows);
}

export { campaignContactSorts } from './list-store.ts';

export type CampaignOfContact = { campaignContact: CampaignContact; campaign: Campaign };

/**
 * The campaigns that contain a contact, the one it was added to last first.
 * @throws notFound when the organization has no such contact
 */
export async function campaignsOfContact(app: App, orgId: string, contactId: string): Promise<CampaignOfContact[]> {
  const found = await people.findContacts(app.db, orgId, [contactId]);
  if (found.length === 0) throw notFound('contact');
  const campaigns: CampaignOfContact[] = [];
  for (const campaignContact of await campaignContacts.ofContact(app.db, contactId)) {
    const campaign = await store.campaignById(app.db, campaignContact.campaignId);
    if (campaign) campaigns.push({ campaign, campaignContact });
  }
  return campaigns;
}
