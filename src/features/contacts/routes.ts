import { isoOf } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { JsonObject } from '../../base/json.ts';
import { transact } from '../../db/transaction.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation, type Versioned } from '../../kernel/route.ts';
import {
  boolean,
  id,
  list,
  metadata,
  nullable,
  object,
  optional,
  text,
  timestamp,
  Type,
  version,
} from '../../kernel/schema.ts';
import type { App } from '../../kernel/app.ts';
import { actorOf } from '../requests/audit.ts';
import type { Contact } from './contact.ts';
import { type DoNotCallState, doNotCallStateOf } from './do-not-call-state.ts';
import { doNotCallStateSchema, presentDoNotCallState } from './do-not-call-wire.ts';
import { contactInputSchema } from './contact-input.ts';
import { removeContact } from './removal.ts';
import { presentSettings } from './person-wire.ts';
import * as service from './service.ts';

const tag = 'Contacts';
const contactPath = object({ id: id('contact') });

const contactSchema = object(
  {
    id: id('contact'),
    first_name: nullable(Type.String()),
    last_name: nullable(Type.String()),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
    company: nullable(Type.String()),
    metadata: metadata(),
    timezone: nullable(Type.String()),
    do_not_call: boolean(),
    do_not_call_state: doNotCallStateSchema,
    version: version(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'Contact' },
);

const presentContact = (contact: Contact, state: DoNotCallState) => ({
  id: contact.id,
  ...presentSettings(contact),
  do_not_call_state: presentDoNotCallState(state),
  version: contact.version,
  created_at: isoOf(contact.createdAt),
  updated_at: isoOf(contact.updatedAt),
});

const stateFor = (app: App, orgId: string, people: readonly Contact[]) =>
  doNotCallStateOf(app.db, orgId, people, ({ id: contactId, phone }) => ({ contactId, phone }));

const present = async (app: App, contact: Contact) =>
  presentContact(contact, (await stateFor(app, contact.orgId, [contact]))(contact));

const versioned: Versioned = {
  table: 'contacts',
  uncounted: ['do_not_call'],
  async find(app, orgId, { id: contactId = '' }) {
    const contact = await service.findContact(app.db, orgId, contactId);
    if (!contact) return undefined;
    return { id: contact.id, version: contact.version, settings: presentSettings(contact) };
  },
};

export const createContact = operation({
  operationId: 'createContact',
  tag,
  versioned,
  summary: 'Create a contact',
  body: contactInputSchema,
  example: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '+4930901820',
    company: 'Analytical Engines',
    metadata: JsonObject.of({ crmId: 4711 }),
    timezone: 'Europe/Berlin',
  },
  data: contactSchema,
  forbidsCalls: true,
  message: 'Contact created.',
  async handle(app, { caller, body }) {
    const [contact] = await transact(app.db, caller.orgId, (tx) =>
      service.createContacts(app, tx, caller.orgId, [body]),
    );
    return { data: await present(app, contact!) };
  },
});

export const listContacts = operation({
  operationId: 'listContacts',
  tag,
  summary: 'List or search contacts, newest first',
  query: object({
    q: optional(
      Type.String({ maxLength: 200, description: 'Text to find in name, e-mail, phone or company; case is ignored' }),
    ),
    may_be_called: optional(
      boolean({ description: 'Only contacts that may be called, or only those that may not: see do_not_call_state' }),
    ),
  }),
  paged: 'cursor',
  data: list(contactSchema),
  message: 'Contacts fetched.',
  async handle(app, { caller, query, page }) {
    const filter = { q: query.q ?? '', ...given({ mayBeCalled: query.may_be_called }) };
    const found = await service.searchContacts(app, caller.orgId, filter, page);
    const stateOf = await stateFor(app, caller.orgId, found.items);
    return pageReply(found, (contact) => presentContact(contact, stateOf(contact)));
  },
});

export const getContact = operation({
  operationId: 'getContact',
  tag,
  versioned,
  summary: 'Get a contact',
  params: contactPath,
  data: contactSchema,
  message: 'Contact fetched.',
  handle: async (app, { caller, params }) => ({
    data: await present(app, await service.contactOf(app.db, caller.orgId, params.id)),
  }),
});

export const updateContact = operation({
  operationId: 'updateContact',
  tag,
  versioned,
  summary: 'Update a contact; omitted fields keep their value, null clears one',
  params: contactPath,
  body: contactInputSchema,
  example: { company: 'Analytical Engines', do_not_call: true },
  data: contactSchema,
  forbidsCalls: true,
  message: 'Contact updated.',
  handle: async (app, { caller, params, body }) => ({
    data: await present(app, await service.updateContact(app, caller.orgId, params.id, body, { by: actorOf(caller) })),
  }),
});

export const optOutContact = operation({
  operationId: 'optOutContact',
  tag,
  summary: 'Never call a contact again; every campaign knows at once',
  params: contactPath,
  body: object({ reason: optional(nullable(text(500))) }),
  bodyOptional: true,
  example: { reason: 'Asked not to be called' },
  data: contactSchema,
  forbidsCalls: true,
  message: 'The contact is not called any more.',
  async handle(app, { caller, params, body }) {
    const optOut = { reason: body.reason ?? null, by: actorOf(caller) };
    const contact = await service.updateContact(app, caller.orgId, params.id, { do_not_call: true }, optOut);
    return { data: await present(app, contact) };
  },
});

export const liftContactOptOut = operation({
  operationId: 'liftContactOptOut',
  tag,
  summary: 'Lift the opt-out of a contact; its phone stays on the do-not-call list if it is there',
  params: contactPath,
  data: contactSchema,
  message: 'The opt-out of the contact is lifted.',
  handle: async (app, { caller, params }) => ({
    data: await present(app, await service.updateContact(app, caller.orgId, params.id, { do_not_call: false })),
  }),
});

export const deleteContact = operation({
  operationId: 'deleteContact',
  tag,
  versioned,
  summary: 'Delete a contact; refused while the contact is on a call',
  params: contactPath,
  message: 'Contact deleted.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await removeContact(app, caller.orgId, params.id);
    return {};
  },
});
