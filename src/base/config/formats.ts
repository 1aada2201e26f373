import { Cron } from 'croner';
import ipaddr from 'ipaddr.js';
import { isCountry } from '../phone.ts';
import { isSecret } from '../standard-webhooks.ts';

type Format = {
  /** Completes the sentence "<setting> must be …". */
  readonly words: string;
  readonly test: (value: string) => boolean;
};

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const parseUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

/** A URL with one of the protocols. Credentials are refused, because `config print` and logs would show them. */
function isUrl(value: string, protocols: readonly string[]): boolean {
  const url = parseUrl(value);
  return url !== undefined && protocols.includes(url.protocol) && url.username === '' && url.password === '';
}

/** May have a password, which is never shown. */
function isStoreUrl(value: string): boolean {
  const url = parseUrl(value);
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) return false;
  const mode = url.searchParams.get('sslmode');
  return mode === null || ['disable', 'require', 'verify-full'].includes(mode);
}

/** Strict: ipaddr.js would also accept `0x7f.1/8`, `010.0.0.0/8` and zones (`fe80::%1/64`), which others read differently. */
const isNetwork = (value: string): boolean =>
  !value.includes('%') && (ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value));

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false; // Intl reports a malformed language tag only by a RangeError
  }
}

/** Five fields, and at least one run in the future: `0 0 31 2 *` never comes. */
function isCronPattern(value: string): boolean {
  try {
    return new Cron(value, { mode: '5-part' }).nextRun() !== null;
  } catch {
    return false; // croner reports a malformed pattern only by an error
  }
}

/** The `format` names that settings may use. */
export const FORMATS = {
  http_url: {
    words: 'an http:// or https:// URL without user name and password',
    test: (value) => isUrl(value, ['http:', 'https:']),
  },
  https_url: {
    words: 'an https:// URL without user name and password',
    test: (value) => isUrl(value, ['https:']),
  },
  ws_url: {
    words: 'a ws:// or wss:// URL without user name and password',
    test: (value) => isUrl(value, ['ws:', 'wss:']),
  },
  store_url: {
    words:
      'a PostgreSQL URL such as postgres://parley@db.example.com:5432/parley, with sslmode disable, require or verify-full',
    test: isStoreUrl,
  },
  listen_url: {
    words: 'a postgres:// URL like that of store.url, or none',
    test: (value) => value === 'none' || isStoreUrl(value),
  },
  /** A key set is fetched over plain http only from this machine. */
  jwks_url: {
    words: 'an https:// URL without user name and password (http:// only for localhost, 127.0.0.1 and [::1])',
    test: (value) =>
      isUrl(value, ['https:']) || (isUrl(value, ['http:']) && LOOPBACK_HOSTS.has(parseUrl(value)?.hostname ?? '')),
  },
  time_of_day: {
    words: 'a time of day such as "08:00"',
    test: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  },
  origin: {
    words: 'an origin such as https://app.example.com (scheme, host and port only)',
    test: (value) => isUrl(value, ['http:', 'https:']) && parseUrl(value)?.origin === value,
  },
  cidr: { words: 'a network such as 10.0.0.0/8', test: isNetwork },
  cron: { words: 'a cron pattern of five fields such as 0 3 * * *, which has a next time', test: isCronPattern },
  country: { words: 'a country code of two capital letters such as DE', test: isCountry },
  language: { words: 'a language tag such as en-US', test: isLanguageTag },
  e164: {
    words: 'a phone number in E.164 form such as +14155550100',
    test: (value) => /^\+[1-9]\d{6,14}$/.test(value),
  },
  /** A key that goes into a header of HTTP as it is. */
  header_value: {
    words: 'text of ASCII letters, digits and signs, without spaces, as it is sent in an HTTP header',
    test: (value) => /^[\x21-\x7e]+$/.test(value),
  },
  signing_secret: { words: 'text, or whsec_ followed by base64', test: isSecret },
  /** By hand, because `uuid` of ajv-formats also accepts `urn:uuid:…`. */
  uuid: {
    words: 'a UUID',
    test: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
