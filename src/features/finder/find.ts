import { AppError } from '../../base/errors.ts';
import { isoOf } from '../../base/clock.ts';
import { isUuid } from '../../base/ids.ts';
import type { App } from '../../kernel/app.ts';
import { phonePartOf, searchTextIn } from '../../kernel/filters.ts';
import type { Agent } from '../agents/agent.ts';
import * as agents from '../agents/service.ts';
import type { Call } from '../calls/call.ts';
import * as calls from '../calls/service.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import * as campaigns from '../campaigns/service.ts';
import { type Contact, nameOf } from '../contacts/contact.ts';
import * as contacts from '../contacts/service.ts';
import type { KnowledgeBase } from '../knowledge/bases/knowledge-base.ts';
import * as bases from '../knowledge/bases/service.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';

export const foundKinds = ['agent', 'campaign', 'contact', 'call', 'number', 'knowledge_base'] as const;

/** Something that a search found, as a person would name it. */
export type Found = { kind: (typeof foundKinds)[number]; id: string; title: string; subtitle: string | null };

const maxOfKind = 5;

const joined = (...parts: ReadonlyArray<string | null>): string | null => parts.filter(Boolean).join(' · ') || null;

const ofAgent = ({ id, agentName, model }: Agent): Found => ({ kind: 'agent', id, title: agentName, subtitle: model });
const ofCampaign = ({ id, name, status }: Campaign): Found => ({
  kind: 'campaign',
  id,
  title: name,
  subtitle: status,
});
const ofContact = (contact: Contact): Found => {
  const [title = 'Contact without a name', ...others] = [
    nameOf(contact),
    contact.phone,
    contact.email,
    contact.company,
  ].filter((text) => text !== null);
  return { kind: 'contact', id: contact.id, title, subtitle: joined(...others) };
};
const ofCall = ({ id, to, callerName, status, state, createdAt }: Call): Found => ({
  kind: 'call',
  id,
  title: `Call to ${to}`,
  subtitle: joined(callerName, status ?? state, isoOf(createdAt)),
});
const ofNumber = ({ id, phone, name }: PhoneNumber): Found => ({ kind: 'number', id, title: phone, subtitle: name });
const ofBase = ({ id, name, documentCount }: KnowledgeBase): Found => ({
  kind: 'knowledge_base',
  id,
  title: name,
  subtitle: documentCount === 1 ? '1 document' : `${documentCount} documents`,
});

/**
 * Finds up to five of each kind whose name, phone number or e-mail address contains `q`, newest first. If `q` is an id, finds only the
 * thing that has it.
 */
export async function find(app: App, orgId: string, q: string): Promise<Found[]> {
  const name = searchTextIn(q);
  if (name === undefined) return [];
  if (isUuid(name)) return findById(app, orgId, name);
  const text = phonePartOf(q) ?? name;
  const page = { limit: maxOfKind, offset: 0, owner: orgId };
  const found = await Promise.all([
    agents.listAgents(app, orgId, name, page).then(({ items }) => items.map(ofAgent)),
    campaigns.listCampaigns(app, orgId, { name }, page).then(({ items }) => items.map(ofCampaign)),
    contacts
      .searchContacts(app, orgId, { q: text }, { ...page, after: null })
      .then(({ items }) => items.map(ofContact)),
    calls.searchCalls(app, orgId, text, maxOfKind).then((items) => items.map(ofCall)),
    numbers.searchNumbers(app, orgId, text, page).then(({ items }) => items.map(ofNumber)),
    bases.searchBases(app, orgId, name, page).then(({ items }) => items.map(ofBase)),
  ]);
  return found.flat();
}

async function findById(app: App, orgId: string, id: string): Promise<Found[]> {
  const found = await Promise.all([
    agents.agentOf(app.db, orgId, id).then(ofAgent).catch(noneIfUnknown),
    campaigns.getCampaign(app, orgId, id).then(ofCampaign).catch(noneIfUnknown),
    contacts.contactOf(app.db, orgId, id).then(ofContact).catch(noneIfUnknown),
    calls.getCall(app, orgId, id).then(ofCall).catch(noneIfUnknown),
    numbers.numberOf(app.db, orgId, id).then(ofNumber).catch(noneIfUnknown),
    bases.requireBase(app.db, orgId, id).then(ofBase).catch(noneIfUnknown),
  ]);
  return found.flat();
}

function noneIfUnknown(error: unknown): Found[] {
  if (error instanceof AppError && error.kind === 'not_found') return [];
  throw error;
}
