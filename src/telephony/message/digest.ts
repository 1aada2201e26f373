import { hash } from 'node:crypto';
import { splitOutside } from './message.ts';
import { quoted, unquoted } from './parameters.ts';

/** A challenge of a 401 or 407 (RFC 7616 and RFC 8760). */
export type Challenge = {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  algorithm: 'MD5' | 'SHA-256';
  /** Whether the answer uses `qop=auth`; without it the older form of RFC 2069. */
  qop: boolean;
  /** The nonce was too old; the credentials may be right. */
  stale: boolean;
};

export type Credentials = { username: string; password: string };

/** The digest challenge that can be answered, the stronger algorithm first; undefined when there is none. */
export function chooseChallenge(values: readonly string[]): Challenge | undefined {
  const known = values.flatMap((value) => parseChallenge(value) ?? []);
  return known.find(({ algorithm }) => algorithm === 'SHA-256') ?? known[0];
}

function parseChallenge(value: string): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s+(.*)$/s.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'digest') return undefined;
  const fields = new Map<string, string>();
  for (const part of splitOutside(rest, ',')) {
    const equals = part.indexOf('=');
    if (equals > 0) fields.set(part.slice(0, equals).trim().toLowerCase(), unquoted(part.slice(equals + 1).trim()));
  }
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')];
  const algorithm = (fields.get('algorithm') ?? 'MD5').toUpperCase();
  const offered = fields
    .get('qop')
    ?.split(',')
    .map((name) => name.trim().toLowerCase());
  if (realm === undefined || nonce === undefined || (algorithm !== 'MD5' && algorithm !== 'SHA-256')) return undefined;
  if (offered !== undefined && !offered.includes('auth')) return undefined; // `auth-int` alone is not supported
  const stale = fields.get('stale')?.toLowerCase() === 'true';
  return { realm, nonce, opaque: fields.get('opaque'), algorithm, qop: offered !== undefined, stale };
}

/** `count`: how often the nonce has been used, this time included; 1 by default. */
export type DigestRequest = { method: string; uri: string; cnonce: string; count?: number };

/** The value of `Authorization` or `Proxy-Authorization` that answers the challenge. */
export function authorization(challenge: Challenge, credentials: Credentials, request: DigestRequest): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const digest = (text: string): string => hash(algorithm === 'MD5' ? 'md5' : 'sha256', text);
  const count = (request.count ?? 1).toString(16).padStart(8, '0');
  const secret = digest(`${credentials.username}:${realm}:${credentials.password}`);
  const target = digest(`${request.method}:${request.uri}`);
  const middle = qop ? `${nonce}:${count}:${request.cnonce}:auth` : nonce;
  const fields = [
    `username=${quoted(credentials.username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `response="${digest(`${secret}:${middle}:${target}`)}"`,
    `algorithm=${algorithm}`,
    ...(qop ? [`cnonce=${quoted(request.cnonce)}`, 'qop=auth', `nc=${count}`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${fields.join(', ')}`;
}
