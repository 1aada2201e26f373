import { timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from './hmac.ts';
import { memoize } from './memoize.ts';

/**
 * Signatures as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com), so that its libraries verify ours and make
 * those we verify: HMAC-SHA256 over `<id>.<timestamp>.<body>`.
 */

/** What a secret that is key material in base64 starts with; any other text is the key itself. */
export const secretPrefix = 'whsec_';

/** How far a timestamp may lie from now, either way: older messages may be replays. The specification's libraries allow as much. */
const toleranceSec = 300;

export type Signed = {
  /** The message's id, the same on every attempt. */
  id: string;
  /** When this attempt is made, Unix seconds. */
  timestampSec: number;
  /** The exact text that is sent, or its bytes; empty for requests without a body. */
  body: string | Buffer;
};

/** The three headers as they came; what is missing is ''. */
export type SignatureHeaders = { id: string; timestamp: string; signature: string };

/** Whether text may be a secret: `whsec_` promises base64, and nothing decoded would be a key that everybody knows. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(secretPrefix)) return text !== '';
  const [, digits = ''] = /^([A-Za-z0-9+/]+)={0,2}$/.exec(text.slice(secretPrefix.length)) ?? [];
  return digits.length > 1 && digits.length % 4 !== 1;
}

const bytesOf = (secret: string): Buffer =>
  secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8');

/** A secret signs again and again. */
const signerOf = memoize(1000, (secret) => hmacSha256(bytesOf(secret)));

const digest = (secret: string, id: string, timestamp: string, body: string | Buffer): Buffer =>
  signerOf(secret)([Buffer.from(`${id}.${timestamp}.`), typeof body === 'string' ? Buffer.from(body) : body]);

/** The three headers of an attempt; one signature per secret, the current secret's first. */
export function signatureHeaders(secrets: readonly string[], signed: Signed): Record<string, string> {
  const timestamp = String(signed.timestampSec);
  const signatures = secrets.map(
    (secret) => `v1,${digest(secret, signed.id, timestamp, signed.body).toString('base64')}`,
  );
  return { 'webhook-id': signed.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** What is wrong with the headers before any body is read, as a sentence; undefined when nothing is. */
export function headersFault({ id, timestamp, signature }: SignatureHeaders, nowSec: number): string | undefined {
  if (id === '' || timestamp === '' || signature === '') {
    return 'A signature is needed: webhook-id, webhook-timestamp and webhook-signature.';
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is not in Unix seconds.';
  if (Math.abs(nowSec - Number(timestamp)) > toleranceSec) {
    return `webhook-timestamp is more than ${toleranceSec / 60} minutes from now.`;
  }
  return undefined;
}

/** Whether one of the signatures is the secret's for this body, compared in constant time. */
export function isSignedWith(secret: string, { id, timestamp, signature }: SignatureHeaders, body: Buffer): boolean {
  const expected = digest(secret, id, timestamp, body);
  return signature.split(' ').some((candidate) => {
    const [version, encoded = ''] = candidate.split(',', 2);
    const given = Buffer.from(encoded, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
