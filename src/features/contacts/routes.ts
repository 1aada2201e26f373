import { isoOf } from '../../base/clock.ts';
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
  timestamp,
  Type,
  version,
} from '../../kernel/schema.ts';
import type { Contact } from './contact.ts';
import { contactInputSchema } from './contact-input.ts';
import { removeContact } from './removal.ts';
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
    version: version(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'Contact' },
);

const presentContact = (contact: Contact) => ({
  id: contact.id,
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  metadata: contact.metadata,
  timezone: contact.timezone,
  do_not_call: contact.doNotCall,
  version: contact.version,
  created_at: isoOf(contact.createdAt),
  updated_at: isoOf(contact.updatedAt),
});

const versioned: Versioned = {
  table: 'contacts',
  uncounted: ['do_not_call'],
  async find(app, orgId, { id: contactId = '' }) {
    const contact = await service.findContact(app.db, orgId, contactId);
    if (!contact) return undefined;
    const {
      id: _id,
      version: _version,
      created_at: _createdAt,
      updated_at: _updatedAt,
      ...settings
    } = presentContact(contact);
    return { id: contact.id, version: contact.version, settings };
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
  message: 'Contact created.',
  async handle(app, { caller, body }) {
    const [contact] = await transact(app.db, caller.orgId, (tx) =>
      service.createContacts(app, tx, caller.orgId, [body]),
    );
    return { data: presentContact(contact!) };
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
  }),
  paged: 'cursor',
  data: list(contactSchema),
  message: 'Contacts fetched.',
  async handle(app, { caller, query, page }) {
    return pageReply(await service.searchContacts(app, caller.orgId, query.q ?? '', page), presentContact);
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
    data: presentContact(await service.contactOf(app.db, caller.orgId, params.id)),
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
  message: 'Contact updated.',
  handle: async (app, { caller, params, body }) => ({
    data: presentContact(await service.updateContact(app, caller.orgId, params.id, body)),
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
