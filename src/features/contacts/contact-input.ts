import { emptyObject } from '../../base/json.ts';
import {
  boolean,
  email,
  metadata,
  nullable,
  object,
  optional,
  phone,
  type Static,
  text,
  timeZone,
} from '../../kernel/schema.ts';
import type { ContactFields } from './contact.ts';

/** A contact in a request body: no field is required, and null clears a field. Other bodies reuse the schema for lists of contacts. */
export const contactInputSchema = object(
  {
    first_name: optional(nullable(text(200))),
    last_name: optional(nullable(text(200))),
    email: optional(nullable(email())),
    phone: optional(nullable(phone())),
    company: optional(nullable(text(200))),
    metadata: optional(nullable(metadata())),
    timezone: optional(nullable(timeZone('IANA time zone of the contact; calling windows apply in its local time'))),
    do_not_call: optional(boolean()),
  },
  { title: 'ContactInput' },
);

export type ContactInput = Static<typeof contactInputSchema>;

/** Only the fields that the body contains, renamed to camelCase. */
export const providedFields = (input: ContactInput): Partial<ContactFields> => ({
  ...(input.first_name === undefined ? {} : { firstName: input.first_name }),
  ...(input.last_name === undefined ? {} : { lastName: input.last_name }),
  ...(input.email === undefined ? {} : { email: input.email }),
  ...(input.phone === undefined ? {} : { phone: input.phone }),
  ...(input.company === undefined ? {} : { company: input.company }),
  ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? emptyObject }),
  ...(input.timezone === undefined ? {} : { timezone: input.timezone }),
  ...(input.do_not_call === undefined ? {} : { doNotCall: input.do_not_call }),
});
