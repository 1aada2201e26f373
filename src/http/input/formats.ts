import { isUuid } from '../../base/ids.ts';
import { isE164 } from '../../base/phone.ts';
import { isTimeZone } from '../../base/zones.ts';
import { isTerminationUri } from '../../features/numbers/termination-uri.ts';

type Format = { test: (value: string) => boolean; says: string };

/** Dot-atoms of RFC 5321 with a domain that has a dot; quoted local parts are refused, as mail providers do. */
const emailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/i;

function isDateTime(value: string): boolean {
  // Temporal would read what follows in brackets, a zone or a calendar, and then not heed it.
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d[^[]*$/.test(value)) return false;
  try {
    if (/([Zz]|[+-]\d\d:?\d\d)$/.test(value)) Temporal.Instant.from(value);
    else Temporal.PlainDateTime.from(value);
    return true;
  } catch {
    return false; // not a date and time: that is the answer
  }
}

function isInstant(value: string): boolean {
  return isDateTime(value) && /([Zz]|[+-]\d\d:?\d\d)$/.test(value);
}

/** Every format a schema may name: how it is checked and how a fault is worded after "must be ". */
export const formats: Readonly<Record<string, Format>> = {
  uuid: { test: isUuid, says: 'a UUID' },
  e164: { test: isE164, says: 'a telephone number in E.164 form with a valid country code, like +4930901820' },
  email: { test: (value) => emailPattern.test(value) && value.indexOf('@') <= 64, says: 'an e-mail address' },
  'termination-uri': {
    test: isTerminationUri,
    says: 'a SIP host, like sip.example.com:5060, or a sip: or sips: URI',
  },
  'time-zone': { test: isTimeZone, says: 'an IANA time zone, like Europe/Berlin' },
  'date-time': { test: isInstant, says: 'an ISO 8601 date and time with an offset, like 2026-03-01T09:00:00Z' },
  'local-date-time': {
    test: isDateTime,
    says: 'an ISO 8601 date and time, like 2026-03-01T09:00 or 2026-03-01T09:00:00Z',
  },
  'time-of-day': {
    test: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
    says: 'a time of day as HH:mm, 00:00 to 23:59',
  },
};
