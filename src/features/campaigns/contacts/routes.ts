import { isoOrNull } from '../../../base/clock.ts';
import { type Fault, invalid } from '../../../base/errors.ts';
import { given } from '../../../base/given.ts';
import { anyOf, distinct } from '../../../kernel/filters.ts';
import { pageReply } from '../../../kernel/paging.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, list, object, oneOf, optional, text, Type } from '../../../kernel/schema.ts';
import { scriptedCallSchema } from '../../calls/scripted-call.ts';
import { contactInputSchema } from '../../contacts/contact-input.ts';
import { doNotCallStateOf } from '../../contacts/do-not-call-state.ts';
import { actorOf } from '../../requests/audit.ts';
import { contactStatuses } from '../campaign.ts';
import { maxRemoved, removeCampaignContacts as removeMatching } from './bulk-removal.ts';
import { isInTransaction } from '../../../db/transaction.ts';
import * as joining from './joining.ts';
import * as campaignContacts from './campaign-contacts.ts';
import { campaignContactSorts } from './campaign-contacts.ts';
import { foundBy, foundByOf } from './contact-filters.ts';
import {
  campaignContactSchema,
  compactCampaignSchema,
  presentCampaignContact,
  presentSnakeCampaign,
  snakeCampaignSchema,
} from '../wire.ts';

const tag = 'Campaigns';
const maxContacts = 10_000;

const skippedSchema = object({
  contact_id: optional(Type.String()),
  index: optional(integer({ description: 'Index in `contacts`' })),
  reason: Type.String(),
});

type Lists = { contact_ids?: readonly unknown[]; contacts?: readonly unknown[] };

/** At least one of the two lists is required, and the limit holds for both together. */
function listFaults({ contact_ids: ids, contacts }: Lists): Fault[] {
  const both = (message: string): Fault[] => ['contact_ids', 'contacts'].map((path) => ({ path, message }));
  if (ids === undefined && contacts === undefined) return both('give contact_ids, contacts or both');
  if ((ids?.length ?? 0) + (contacts?.length ?? 0) <= maxContacts) return [];
  return both(`contact_ids and contacts together must have at most ${maxContacts} entries`);
}

export const addCampaignContacts = operation({
  operationId: 'addCampaignContacts',
  tag,
  summary: 'Add contacts to a campaign: existing ones by id, new ones by their fields',
  params: object({ id: id('campaign') }),
  body: object({
    contact_ids: optional(list(id('contact'), { maxItems: maxContacts })),
    contacts: optional(
      list(
        object({
          ...contactInputSchema.properties,
          tags: optional(list(text(100, 1), { maxItems: 50 })),
          simulate: optional(scriptedCallSchema),
        }),
        { maxItems: maxContacts },
      ),
    ),
  }),
  example: {
    contact_ids: ['019cadc6-9a80-7001-a45e-788430a62e9c'],
    contacts: [
      { first_name: 'Ada', phone: '+4930901820', tags: ['vip'], simulate: { outcome: 'busy', ring_ms: 4000 } },
    ],
  },
  bodyLimit: 'large',
  ownTransactions: 'large',
  acceptsBothCases: true,
  data: object({ added: integer(), skipped: list(skippedSchema) }),
  message: 'Contacts added.',
  errors: ['conflict'],
  async handle(app, { caller, params, body, requestId, ip }) {
    const faults = listFaults(body);
    if (faults.length > 0) throw invalid(faults);
    const { contact_ids: contactIds = [], contacts = [] } = body;
    const actor = actorOf(caller);
    const hasOwnEntry = !isInTransaction(app.db);
    const entry = {
      orgId: caller.orgId,
      actor,
      operation: 'addCampaignContacts',
      target: { id: params.id },
      requestId,
      ip,
    };
    const { unscripted, ...data } = await joining.addCampaignContacts(
      app,
      caller.orgId,
      params.id,
      { contactIds, contacts },
      { actor, ...(hasOwnEntry ? { entry } : {}) },
    );
    if (unscripted === 0) return { data, hasOwnEntry };
    const ignored = `\`simulate\` was ignored for ${unscripted}: only the simulated carrier takes it, and this campaign has another.`;
    return { data, hasOwnEntry, message: `Contacts added. ${ignored}` };
  },
});

export const listCampaignContacts = operation({
  operationId: 'listCampaignContacts',
  tag,
  summary: 'List the contacts of a campaign, by default in the order of its queue',
  params: object({ id: id('campaign') }),
  query: object({
    status: anyOf(contactStatuses, 'Only contacts with this status; repeat it for several'),
    ...foundBy,
    sort: optional(
      oneOf(campaignContactSorts, {
        description:
          'queue (default): as they were added; next_attempt: waiting retries first, by their time; last_attempt: the last called first',
      }),
    ),
  }),
  paged: 'cursor',
  data: list(campaignContactSchema),
  message: 'Campaign contacts fetched.',
  async handle(app, { caller, params, query, page }) {
    const { status, sort, ...others } = query;
    const filter = { ...given({ statuses: distinct(status), sort }), ...foundByOf(others) };
    const found = await campaignContacts.listCampaignContacts(app, caller.orgId, params.id, filter, page);
    const stateOf = await doNotCallStateOf(app.db, caller.orgId, found.items, (contact) => contact);
    return pageReply(found, (contact) => presentCampaignContact(contact, stateOf(contact)));
  },
});

export const removeCampaignContact = operation({
  operationId: 'removeCampaignContact',
  tag,
  summary: 'Remove a contact from a campaign, which cancels its future attempts',
  params: object({ id: id('campaign'), contact_id: id('contact in this campaign') }),
  message: 'Contact removed from the campaign.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    const { id: campaignId, contact_id: contactId } = params;
    await campaignContacts.removeCampaignContact(app, caller.orgId, campaignId, contactId, actorOf(caller));
    return {};
  },
});

export const removeCampaignContacts = operation({
  operationId: 'removeCampaignContacts',
  tag,
  summary: `Remove all contacts of a campaign that match and are still waiting, up to ${maxRemoved} at a time`,
  params: object({ id: id('campaign') }),
  body: object(
    {
      status: list(oneOf(contactStatuses), {
        minItems: 1,
        maxItems: contactStatuses.length,
        description: 'The statuses of the contacts; only those that are `pending` are removed',
      }),
      ...foundBy,
    },
    { title: 'CampaignContactsToRemove' },
  ),
  example: { status: ['pending'], tag: 'vip' },
  ownTransactions: true,
  data: object({
    removed: integer(),
    has_more: Type.Boolean({ description: 'Contacts were left out: send the request again' }),
  }),
  message: 'Contacts removed from the campaign.',
  async handle(app, { caller, params, body }) {
    const { status: statuses, ...others } = body;
    const filter = { statuses, ...foundByOf(others) };
    const { removed, hasMore } = await removeMatching(app, caller.orgId, params.id, filter, actorOf(caller));
    return { data: { removed, has_more: hasMore } };
  },
});

export const listContactCampaigns = operation({
  operationId: 'listContactCampaigns',
  tag: 'Contacts',
  summary: 'List the campaigns of a contact',
  params: object({ id: id('contact') }),
  query: object({
    view: optional(
      oneOf(['compact', 'full'], {
        description: 'compact (default): id, name, status and last attempt; full: the whole campaign',
      }),
    ),
  }),
  data: list(Type.Union([compactCampaignSchema, snakeCampaignSchema])),
  message: 'Campaigns fetched.',
  async handle(app, { caller, params, query }) {
    const found = await campaignContacts.campaignsOfContact(app, caller.orgId, params.id);
    if (query.view === 'full') return { data: found.map(({ campaign }) => presentSnakeCampaign(campaign)) };
    return {
      data: found.map(({ campaign, campaignContact }) => ({
        campaign_id: campaign.id,
        name: campaign.name,
        status: campaignContact.status,
        last_attempt_at: isoOrNull(campaignContact.lastAttemptedAt),
      })),
    };
  },
});
