import { isUuid } from '../../base/ids.ts';
import { isCountry, isE164 } from '../../base/phone.ts';
import { isTimeZone } from '../../base/zones.ts';
import { isTerminationUri } from '../../features/numbers/termination-uri.ts';

/** `expectation` completes the sentence "must be …". */
type Format = { test: (value: string) => boolean; expectation: string };

/** RFC 5321 dot-atom with a dotted domain. Quoted local parts are rejected, as mail providers do. */
const emailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/i;

function isDateTime(value: string): boolean {
  // Without this, Temporal would accept a zone or calendar in brackets and then silently ignore it.
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d[^[]*$/.test(value)) return false;
  try {
    if (/([Zz]|[+-]\d\d:?\d\d)$/.test(value)) Temporal.Instant.from(value);
    else Temporal.PlainDateTime.from(value);
    return true;
  } catch {
    return false; // Temporal throws for anything that is not a date and time
  }
}

const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value) && isDateTime(`${value}T00:00`);

/** An address that pages may show as a link: never `javascript:` or `data:`. */
const isHttpUrl = (value: string): boolean => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '');

function isInstant(value: string): boolean {
  return isDateTime(value) && /([Zz]|[+-]\d\d:?\d\d)$/.test(value);
}

/** All string formats that a schema may use. */
export const formats: Readonly<Record<string, Format>> = {
  uuid: { test: isUuid, expectation: 'a UUID' },
  e164: { test: isE164, expectation: 'a telephone number in E.164 form with a valid country code, like +4930901820' },
  email: { test: (value) => emailPattern.test(value) && value.indexOf('@') <= 64, expectation: 'an e-mail address' },
  'http-url': { test: isHttpUrl, expectation: 'an http:// or https:// URL' },
  'termination-uri': {
    test: isTerminationUri,
    expectation: 'a SIP host, like sip.example.com:5060, or a sip: or sips: URI',
  },
  country: { test: (value) => isCountry(value.toUpperCase()), expectation: 'a country code of two letters, like DE' },
  'time-zone': { test: isTimeZone, expectation: 'an IANA time zone, like Europe/Berlin' },
  'date-time': { test: isInstant, expectation: 'an ISO 8601 date and time with an offset, like 2026-03-01T09:00:00Z' },
  'local-date-time': {
    test: isDateTime,
    expectation: 'an ISO 8601 date and time, like 2026-03-01T09:00 or 2026-03-01T09:00:00Z',
  },
  'local-date-or-time': {
    test: (value) => isDate(value) || isDateTime(value),
    expectation: 'an ISO 8601 date or date and time, like 2026-03-01, 2026-03-01T09:00 or 2026-03-01T09:00:00Z',
  },
  'time-of-day': {
    test: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
    expectation: 'a time of day as HH:mm, 00:00 to 23:59',
  },
};
