import { conflict, notFound } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type ContactWithoutMetadata, nameOf } from '../contacts/contact.ts';
import * as people from '../contacts/service.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from './campaign.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { tickAt } from './kinds.ts';
import { campaignOf } from './service.ts';
import * as store from './store.ts';
import { cancelPending } from './completion.ts';

export type NewCampaignContact = people.ContactInput & { tags?: string[] };
export type ContactsToAdd = { contactIds: readonly string[]; contacts: readonly NewCampaignContact[] };
export type SkippedContact = { contact_id: string; reason: string } | { index: number; reason: string };
export type AddedContacts = { added: number; skipped: SkippedContact[] };

/** A contact to add. One given by its fields becomes a contact when it is added. */
type Candidate = {
  contact: ContactWithoutMetadata | people.ContactInput;
  phone: string | null;
  doNotCall: boolean;
  tags: string[];
  /** How the request names it. */
  key: { contact_id: string } | { index: number };
};

/**
 * Adds contacts to a campaign: existing ones by id, new ones by their fields. Skips, with the reason, those that have no phone, are on the
 * do-not-call list, or whose phone the campaign already contains.
 * @throws conflict when the campaign is completed
 */
export function addCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  input: ContactsToAdd,
): Promise<AddedContacts> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await campaignOf(tx, orgId, campaignId);
    if (campaign.status === 'completed')
      throw conflict('The campaign is completed and takes no more contacts. Create a new one.');
    const skipped: SkippedContact[] = [];
    const candidates = [
      ...(await candidatesById(tx, orgId, input.contactIds, skipped)),
      ...(await candidatesByFields(tx, orgId, input.contacts)),
    ];
    const accepted = await accept(tx, campaign, candidates, skipped);
    await add(app, tx, campaign, accepted);
    return { added: accepted.length, skipped };
  });
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
  key,
});

/** An entry whose phone belongs to an existing contact stands for that contact. */
async function candidatesByFields(tx: Tx, orgId: string, entries: readonly NewCampaignContact[]): Promise<Candidate[]> {
  const phones = entries.map((entry) => entry.phone).filter((phone) => typeof phone === 'string');
  const byPhone = await people.contactsByPhone(tx, orgId, phones);
  return entries.map(({ tags = [], ...input }, index) => {
    const contact = input.phone ? byPhone.get(input.phone) : undefined;
    if (contact) return candidateOf(contact, tags, { index });
    return { contact: input, phone: input.phone ?? null, doNotCall: input.do_not_call ?? false, tags, key: { index } };
  });
}

async function accept(
  tx: Tx,
  campaign: Campaign,
  candidates: readonly Candidate[],
  skipped: SkippedContact[],
): Promise<Candidate[]> {
  const phones = candidates.flatMap(({ phone }) => phone ?? []);
  // One that was removed or opted out may join again.
  const inCampaign = await campaignContacts.activePhonesIn(tx, campaign.id, phones);
  const listed = await people.findDoNotCallPhones(tx, campaign.orgId, phones);
  const accepted: Candidate[] = [];
  for (const candidate of candidates) {
    const { phone, doNotCall } = candidate;
    const reason =
      phone === null
        ? 'has no phone'
        : doNotCall || listed.has(phone)
          ? 'is on the do-not-call list'
          : inCampaign.has(phone)
            ? 'the phone number is already in the campaign'
            : undefined;
    if (reason !== undefined) skipped.push({ ...candidate.key, reason });
    else accepted.push(candidate);
    if (phone !== null) inCampaign.add(phone);
  }
  return accepted;
}

/** The contact of each candidate; creates those that do not exist yet. */
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
 * Cancels a contact's future attempts; it stays listed (contract, section 12). An outcome that it already has stays, too.
 * @throws conflict while it is on the phone
 */
export function removeCampaignContact(app: App, orgId: string, campaignId: string, contactId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const campaignContact = await getCampaignContact(tx, orgId, campaignId, contactId);
    if (campaignContact.status === 'in_progress')
      throw conflict('The contact is on the phone. Hang up the call or wait for its end.');
    if (campaignContact.status === 'pending') await cancelPending(app, tx, campaignContact);
  });
}

export async function getCampaignContact(
  db: App['db'],
  orgId: string,
  campaignId: string,
  contactId: string,
): Promise<CampaignContact> {
  await campaignOf(db, orgId, campaignId);
  const campaignContact = await campaignContacts.find(db, campaignId, contactId);
  if (!campaignContact) throw notFound('contact in this campaign');
  return campaignContact;
}

export async function listCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  status: CampaignContactStatus | undefined,
  page: Page,
): Promise<Paged<CampaignContact>> {
  await campaignOf(app.db, orgId, campaignId);
  return campaignContacts.list(app.db, campaignId, status, page);
}

export type CampaignOfContact = { campaignContact: CampaignContact; campaign: Campaign };

/** The campaigns that a contact is or was in, the one it joined last first. */
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
