import { Ajv } from 'ajv';
import { type Static, type TSchema, Type } from '../../../base/typebox.ts';

/** The parts of Cal.com API v2 responses that parley reads. Other fields may change without effect. */

const optionalText = () => Type.Optional(Type.Union([Type.String(), Type.Null()]));
const instant = () => Type.String({ format: 'instant' });

/** `GET /v2/me` */
export const me = Type.Object({ name: optionalText(), username: optionalText(), email: optionalText() });

/** `GET /v2/event-types/{id}`, version 2024-06-14 */
export const eventType = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  title: Type.String(),
  description: optionalText(),
  lengthInMinutes: Type.Integer({ minimum: 0 }),
  price: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  currency: optionalText(),
  hidden: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});

/** `GET /v2/event-types`. Only the event type that a lookup selects is validated in full, so that another malformed one does not hide it. */
export const eventTypes = Type.Array(Type.Object({ id: Type.Integer(), slug: Type.String() }));

/** `GET /v2/slots`, version 2024-09-04: slots by day. */
export const slots = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ start: instant(), end: Type.Optional(instant()) })),
);

const booking = Type.Object({
  id: Type.Integer(),
  uid: Type.String(),
  title: optionalText(),
  status: Type.String(),
  start: instant(),
  end: instant(),
  location: optionalText(),
  meetingUrl: optionalText(),
});
export type ProviderBooking = Static<typeof booking>;

/** `POST /v2/bookings`, version 2024-08-13: one booking, or all of a series when the event type recurs. */
export const bookings = Type.Union([booking, Type.Array(booking, { minItems: 1 })]);

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false; // the text is not an instant
  }
}

const ajv = new Ajv({ strict: true, strictTypes: false, meta: false, validateSchema: false });
ajv.addFormat('instant', isInstant);
const checks = new Map<TSchema, (value: unknown) => boolean>();

/** Whether a value conforms to a schema. Compiled validators are cached. */
export function conforms<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  let check = checks.get(schema);
  if (!check) checks.set(schema, (check = ajv.compile(schema)));
  return check(value);
}
