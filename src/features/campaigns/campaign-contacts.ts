import { conflict, notFound } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type Contact, nameOf } from '../contacts/contact.ts';
import * as people from '../contacts/service.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from './campaign.ts';
import * as contacts from './campaign-contacts-store.ts';
import { tickAt } from './dialer.ts';
import { campaignOf } from './service.ts';
import * as store from './store.ts';
import { cancelPending } from './completion.ts';

export type NewMember = people.ContactInput & { tags?: string[] };
export type Joining = { contactIds: readonly string[]; contacts: readonly NewMember[] };
export type Skipped = { contact_id: string; reason: string } | { index: number; reason: string };
export type Joined = { added: number; skipped: Skipped[] };

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
export function addContacts(app: App, orgId: string, campaignId: string, joining: Joining): Promise<Joined> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await campaignOf(tx, orgId, campaignId);
    if (campaign.status === 'completed') throw conflict('The campaign is completed; make a new one.');
    const skipped: Skipped[] = [];
    const candidates = [
      ...(await known(tx, orgId, joining.contactIds, skipped)),
      ...(await named(tx, orgId, joining.contacts)),
    ];
    const joiners = await admit(tx, campaign, candidates, skipped);
    await join(app, tx, campaign, joiners);
    return { added: joiners.length, skipped };
  });
}

async function known(tx: Tx, orgId: string, ids: readonly string[], skipped: Skipped[]): Promise<Candidate[]> {
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
async function named(tx: Tx, orgId: string, members: readonly NewMember[]): Promise<Candidate[]> {
  const phones = members.map((member) => member.phone).filter((phone) => typeof phone === 'string');
  const byPhone = await people.contactsByPhone(tx, orgId, phones);
  return members.map(({ tags = [], ...input }, index) => {
    const contact = input.phone ? byPhone.get(input.phone) : undefined;
    if (contact) return candidateOf(contact, tags, { index });
    return { person: input, phone: input.phone ?? null, doNotCall: input.do_not_call ?? false, tags, as: { index } };
  });
}

async function admit(
  tx: Tx,
  campaign: Campaign,
  candidates: readonly Candidate[],
  skipped: Skipped[],
): Promise<Candidate[]> {
  const phones = candidates.flatMap(({ phone }) => phone ?? []);
  const inCampaign = await contacts.phonesIn(tx, campaign.id, phones);
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
  await contacts.insertContacts(tx, rows);
  const zones = Map.groupBy(rows, (row) => row.timezone);
  for (const [zone, members] of zones) await contacts.addPending(tx, campaign.id, zone, members.length);
  await store.addStats(tx, campaign.id, { total: rows.length, pending: rows.length });
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
}

/**
 * Cancels a contact's future attempts; it stays listed (contract, section 12). What has its outcome keeps it.
 * @throws conflict while it is on the phone
 */
export function removeContact(app: App, orgId: string, campaignId: string, contactId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const member = await memberOf(tx, orgId, campaignId, contactId);
    if (member.status === 'in_progress') throw conflict('The contact is on the phone; hang up or wait for the end.');
    if (member.status === 'pending') await cancelPending(app, tx, member);
  });
}

export async function memberOf(
  db: App['db'],
  orgId: string,
  campaignId: string,
  contactId: string,
): Promise<CampaignContact> {
  await campaignOf(db, orgId, campaignId);
  const member = await contacts.memberOf(db, campaignId, contactId);
  if (!member) throw notFound('contact in this campaign');
  return member;
}

export async function listMembers(
  app: App,
  orgId: string,
  campaignId: string,
  status: CampaignContactStatus | undefined,
  page: Page,
): Promise<Paged<CampaignContact>> {
  await campaignOf(app.db, orgId, campaignId);
  return contacts.listContacts(app.db, campaignId, status, page);
}

export type Membership = { member: CampaignContact; campaign: Campaign };

/** The campaigns a contact is or was in, newest membership first. */
export async function membershipsOf(app: App, orgId: string, contactId: string): Promise<Membership[]> {
  const found = await people.findContacts(app.db, orgId, [contactId]);
  if (found.length === 0) throw notFound('contact');
  const members = await contacts.membershipsOf(app.db, contactId);
  const memberships: Membership[] = [];
  for (const member of members) {
    const campaign = await store.campaignById(app.db, member.campaignId);
    if (campaign) memberships.push({ member, campaign });
  }
  return memberships;
}
