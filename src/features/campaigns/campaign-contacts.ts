import { conflict, notFound } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type Contact, nameOf } from '../contacts/contact.ts';
import * as people from '../contacts/service.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from './campaign.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { tickAt } from './dialer.ts';
import { campaignOf } from './service.ts';
import * as store from './store.ts';
import { cancelPending } from './completion.ts';

export type NewCampaignContact = people.ContactInput & { tags?: string[] };
export type ContactsToAdd = { contactIds: readonly string[]; contacts: readonly NewCampaignContact[] };
export type SkippedContact = { contact_id: string; reason: string } | { index: number; reason: string };
export type AddedContacts = { added: number; skipped: SkippedContact[] };

/** Who may join: a contact, or somebody who becomes one by joining. */
type Candidate = {
  person: Contact | people.ContactInput;
  phone: string | null;
  doNotCall: boolean;
  tags: string[];
  as: { contact_id: string } | { index: number };
};

/**
 * Adds contacts to a campaign, those that exist by id and new ones by their fields. Whoever cannot join is skipped with the
 * reason: one phone number joins a campaign once, and not from the do-not-call list.
 * @throws conflict when the campaign is completed
 */
export function addCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  joining: ContactsToAdd,
): Promise<AddedContacts> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await campaignOf(tx, orgId, campaignId);
    if (campaign.status === 'completed') throw conflict('The campaign is completed; make a new one.');
    const skipped: SkippedContact[] = [];
    const candidates = [
      ...(await known(tx, orgId, joining.contactIds, skipped)),
      ...(await named(tx, orgId, joining.contacts)),
    ];
    const joiners = await admit(tx, campaign, candidates, skipped);
    await join(app, tx, campaign, joiners);
    return { added: joiners.length, skipped };
  });
}

async function known(tx: Tx, orgId: string, ids: readonly string[], skipped: SkippedContact[]): Promise<Candidate[]> {
  const found = new Map((await people.findContacts(tx, orgId, ids)).map((contact) => [contact.id, contact]));
  const candidates: Candidate[] = [];
  for (const id of ids) {
    const contact = found.get(id);
    if (contact) candidates.push(candidateOf(contact, [], { contact_id: id }));
    else skipped.push({ contact_id: id, reason: 'no such contact' });
  }
  return candidates;
}

const candidateOf = (contact: Contact, tags: string[], as: Candidate['as']): Candidate => ({
  person: contact,
  phone: contact.phone,
  doNotCall: contact.doNotCall,
  tags,
  as,
});

/** People by their fields; whoever's phone a contact has already is that contact. */
async function named(tx: Tx, orgId: string, contacts: readonly NewCampaignContact[]): Promise<Candidate[]> {
  const phones = contacts.map((campaignContact) => campaignContact.phone).filter((phone) => typeof phone === 'string');
  const byPhone = await people.contactsByPhone(tx, orgId, phones);
  return contacts.map(({ tags = [], ...input }, index) => {
    const contact = input.phone ? byPhone.get(input.phone) : undefined;
    if (contact) return candidateOf(contact, tags, { index });
    return { person: input, phone: input.phone ?? null, doNotCall: input.do_not_call ?? false, tags, as: { index } };
  });
}

async function admit(
  tx: Tx,
  campaign: Campaign,
  candidates: readonly Candidate[],
  skipped: SkippedContact[],
): Promise<Candidate[]> {
  const phones = candidates.flatMap(({ phone }) => phone ?? []);
  const inCampaign = await campaignContacts.phonesIn(tx, campaign.id, phones);
  const listed = await people.findDoNotCallPhones(tx, campaign.orgId, phones);
  const joiners: Candidate[] = [];
  for (const candidate of candidates) {
    const { phone, doNotCall } = candidate;
    const reason =
      phone === null
        ? 'has no phone'
        : doNotCall || listed.has(phone)
          ? 'is on the do-not-call list'
          : inCampaign.has(phone)
            ? 'the phone number is in the campaign already'
            : undefined;
    if (reason !== undefined) skipped.push({ ...candidate.as, reason });
    else joiners.push(candidate);
    if (phone !== null) inCampaign.add(phone);
  }
  return joiners;
}

/** The contacts that join, those made that were not there yet. */
async function contactsOf(app: App, tx: Tx, orgId: string, joiners: readonly Candidate[]): Promise<Contact[]> {
  const inputs = joiners.flatMap(({ person }) => ('id' in person ? [] : [person]));
  const made = (await people.createContacts(app, tx, orgId, inputs)).values();
  return joiners.map(({ person }) => ('id' in person ? person : made.next().value!));
}

async function join(app: App, tx: Tx, campaign: Campaign, joiners: readonly Candidate[]): Promise<void> {
  if (joiners.length === 0) return;
  const first = await store.takePositions(tx, campaign.id, joiners.length);
  const joining = await contactsOf(app, tx, campaign.orgId, joiners);
  const rows = joining.map((contact, index) => ({
    id: app.ids.make(),
    campaign_id: campaign.id,
    contact_id: contact.id,
    position: first + index,
    name: nameOf(contact),
    phone: contact.phone!,
    email: contact.email,
    timezone: contact.timezone ?? '',
    tags: JSON.stringify(joiners[index]!.tags),
    status: 'pending',
  }));
  await campaignContacts.insert(tx, rows);
  const zones = Map.groupBy(rows, (row) => row.timezone);
  for (const [zone, contacts] of zones) await campaignContacts.addPending(tx, campaign.id, zone, contacts.length);
  await store.addStats(tx, campaign.id, { total: rows.length, pending: rows.length });
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
}

/**
 * Cancels a contact's future attempts; it stays listed (contract, section 12). What has its outcome keeps it.
 * @throws conflict while it is on the phone
 */
export function removeCampaignContact(app: App, orgId: string, campaignId: string, contactId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const campaignContact = await getCampaignContact(tx, orgId, campaignId, contactId);
    if (campaignContact.status === 'in_progress')
      throw conflict('The contact is on the phone; hang up or wait for the end.');
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
