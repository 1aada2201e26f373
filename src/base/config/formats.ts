import ipaddr from 'ipaddr.js';
import { isSecret } from '../standard-webhooks.ts';

/** One shape of text: how a fault describes it, and what passes. */
type Format = { readonly words: string; readonly test: (value: string) => boolean };

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const parseUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

/** An address with one of the protocols and no credentials: those would be shown by `config print` and in logs. */
function isUrl(value: string, protocols: readonly string[]): boolean {
  const url = parseUrl(value);
  return url !== undefined && protocols.includes(url.protocol) && url.username === '' && url.password === '';
}

/** ipaddr.js alone would also take `0x7f.1/8`, `010.0.0.0/8` and zones (`fe80::%1/64`), which net.BlockList refuses. */
const isNetwork = (value: string): boolean =>
  !value.includes('%') && (ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value));

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false; // RangeError is the only way Intl says "not a language tag".
  }
}

/** The `format` names that settings may use. The words complete the sentence "<setting> must be …". */
export const FORMATS = {
  http_url: {
    words: 'an http:// or https:// address without user name and password',
    test: (value) => isUrl(value, ['http:', 'https:']),
  },
  https_url: {
    words: 'an https:// address without user name and password',
    test: (value) => isUrl(value, ['https:']),
  },
  /** Contract, section 2: a key set is fetched over plain http only from this machine. */
  jwks_url: {
    words: 'an https:// address without user name and password (http:// only for localhost, 127.0.0.1 and [::1])',
    test: (value) =>
      isUrl(value, ['https:']) || (isUrl(value, ['http:']) && LOOPBACK_HOSTS.has(parseUrl(value)?.hostname ?? '')),
  },
  origin: {
    words: 'an origin such as https://app.example.com (scheme, host and port only)',
    test: (value) => isUrl(value, ['http:', 'https:']) && parseUrl(value)?.origin === value,
  },
  cidr: { words: 'a network such as 10.0.0.0/8', test: isNetwork },
  language: { words: 'a language tag such as en-US', test: isLanguageTag },
  e164: {
    words: 'a phone number in E.164 form such as +14155550100',
    test: (value) => /^\+[1-9]\d{6,14}$/.test(value),
  },
  signing_secret: { words: 'text, or whsec_ followed by base64', test: isSecret },
  /** By hand because the `uuid` of ajv-formats also takes `urn:uuid:…`. */
  uuid: {
    words: 'a UUID',
    test: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
