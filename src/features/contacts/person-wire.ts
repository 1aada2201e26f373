import type { Contact } from './contact.ts';

/** Name, addresses and further data of a contact. */
export const presentPerson = (contact: Contact) => ({
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  metadata: contact.metadata,
  timezone: contact.timezone,
});

/** What people set. */
export const presentSettings = (contact: Contact) => ({
  ...presentPerson(contact),
  do_not_call: contact.doNotCall,
});
