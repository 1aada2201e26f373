import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { memoize } from './memoize.ts';

/*
 * Signatures as in Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over `<id>.<timestamp>.<body>`. Its libraries
 * verify parley's signatures, and parley verifies theirs.
 */

/** After this prefix, a secret is the key in base64. A secret without the prefix is the key itself. */
export const secretPrefix = 'whsec_';

/** How far a timestamp may be from now, either way. Older messages may be replays; the specification's libraries allow the same. */
const toleranceSec = 300;

export type Signed = {
  /** The message's id, the same on every attempt. */
  id: string;
  /** The time of this attempt, in Unix seconds. */
  timestampSec: number;
  /** The exact text or bytes that are sent; empty for requests without a body. */
  body: string | Buffer;
};

/** The three headers as received; a missing one is ''. */
export type SignatureHeaders = { id: string; timestamp: string; signature: string };

/** Whether a text is usable as a secret. After `whsec_` only base64 is: anything else would decode to an empty or truncated key. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(secretPrefix)) return text !== '';
  const [, digits = ''] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(text.slice(secretPrefix.length)) ?? [];
  return digits.length > 1 && digits.length % 4 !== 1;
}

/** Keys that are kept in memory, because decoding one takes a quarter of the time of a signature. */
const maxKeys = 20_000;

const keyOf = memoize(maxKeys, (secret) =>
  createSecretKey(
    secret.startsWith(secretPrefix)
      ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
      : Buffer.from(secret, 'utf8'),
  ),
);

const digest = (secret: string, id: string, timestamp: string, body: string | Buffer): string =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');

/** The three headers of an attempt, with one signature per secret. The current secret comes first. */
export function signatureHeaders(secrets: readonly string[], signed: Signed): Record<string, string> {
  const timestamp = String(signed.timestampSec);
  const signatures = secrets.map((secret) => `v1,${digest(secret, signed.id, timestamp, signed.body)}`);
  return { 'webhook-id': signed.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * The first fault of the headers as a sentence; undefined if there is none. Needs no body, so that bad requests are refused unread. The
 * timestamp must be near one of the times in `nowSec`.
 */
export function headersFault(
  { id, timestamp, signature }: SignatureHeaders,
  nowSec: readonly number[],
): string | undefined {
  if (id === '' || timestamp === '' || signature === '') {
    return 'A signature is needed: webhook-id, webhook-timestamp and webhook-signature.';
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is not in Unix seconds.';
  if (nowSec.every((now) => Math.abs(now - Number(timestamp)) > toleranceSec)) {
    return `webhook-timestamp is more than ${toleranceSec / 60} minutes from now.`;
  }
  return undefined;
}

/** Whether one of the signatures was made with the secret for this body. Compares in constant time. */
export function isSignedWith(secret: string, { id, timestamp, signature }: SignatureHeaders, body: Buffer): boolean {
  const expected = Buffer.from(digest(secret, id, timestamp, body), 'base64');
  return signature.split(' ').some((candidate) => {
    const [version, encoded = ''] = candidate.split(',', 2);
    const given = Buffer.from(encoded, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
