import type { Contact, ContactInput } from '../../client.ts';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { editedThing, orNull, type SaveOptions, useForm } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { contacts } from '../../text/contacts.ts';
import { common } from '../../text/en.ts';

export const nameOf = ({ first_name: first, last_name: last, phone }: Contact): string =>
  [first, last].filter(Boolean).join(' ') || (phone ?? contacts.noName);

type Props = {
  contact?: Contact;
  success?: string;
  cancel?: () => void;
  save(body: ContactInput, options: Omit<SaveOptions<never>, 'saved'>): Promise<Contact | void>;
  reload?: () => Promise<Contact>;
};

const valuesOf = (contact?: Contact) => ({
  first_name: contact?.first_name ?? '',
  last_name: contact?.last_name ?? '',
  phone: contact?.phone ?? '',
  email: contact?.email ?? '',
  company: contact?.company ?? '',
  timezone: contact?.timezone ?? '',
});

const bodyOf = (values: ReturnType<typeof valuesOf>): ContactInput => ({
  ...Object.fromEntries(Object.entries(values).map(([name, text]) => [name, orNull(text)])),
  phone: orNull(plainPhone(values.phone)),
});

export function ContactForm({ contact, success = common.saved, cancel, save, reload }: Props) {
  const form = useForm({
    initial: valuesOf(contact),
    edited: editedThing(contact, reload, valuesOf),
    guards: contact !== undefined,
    success,
    save: (values, { saved, ...options }) =>
      save(contact ? changedFields(bodyOf(saved), bodyOf(values)) : bodyOf(values), options),
  });
  return (
    <Form form={form} failed={contacts.saveFailed}>
      <div class="fields">
        <TextField form={form} name="first_name" label={contacts.firstName} />
        <TextField form={form} name="last_name" label={contacts.lastName} />
        <TextField form={form} name="phone" label={contacts.phone} type="tel" hint={contacts.phoneHint} />
        <TextField form={form} name="email" label={contacts.email} type="email" />
        <TextField form={form} name="company" label={contacts.company} />
        <TextField form={form} name="timezone" label={contacts.zone} hint={contacts.zoneHint} />
      </div>
      <Submit form={form} text={common.save} cancel={cancel} />
    </Form>
  );
}
