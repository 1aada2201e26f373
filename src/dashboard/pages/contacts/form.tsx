import type { Contact, ContactInput } from '../../client.ts';
import { CheckField, Form, Submit, TextField } from '../../parts/form.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { orNull, useForm } from '../../state/form.ts';
import { isMember } from '../../state/session.ts';
import { contacts } from '../../text/contacts.ts';
import { common } from '../../text/en.ts';

export const nameOf = ({ first_name: first, last_name: last, phone }: Contact): string =>
  [first, last].filter(Boolean).join(' ') || (phone ?? contacts.noName);

type Props = {
  contact?: Contact;
  success?: string;
  cancel?: () => void;
  save(body: ContactInput, options: { idempotencyKey: string }): Promise<void>;
};

export function ContactForm({ contact, success = common.saved, cancel, save }: Props) {
  const form = useForm({
    initial: {
      first_name: contact?.first_name ?? '',
      last_name: contact?.last_name ?? '',
      phone: contact?.phone ?? '',
      email: contact?.email ?? '',
      company: contact?.company ?? '',
      timezone: contact?.timezone ?? '',
      do_not_call: contact?.do_not_call ?? false,
    },
    guards: contact !== undefined,
    success,
    save: ({ do_not_call, ...texts }, options) =>
      save(
        {
          ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)])),
          phone: orNull(plainPhone(texts.phone)),
          do_not_call,
        },
        options,
      ),
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
      <CheckField form={form} name="do_not_call" label={contacts.doNotCall} />
      {isMember.value && <Submit form={form} text={common.save} cancel={cancel} />}
    </Form>
  );
}
