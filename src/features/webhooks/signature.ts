import { createHmac, randomBytes } from 'node:crypto';

/** Signatures as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com), so that its libraries verify them. */

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => prefix + randomBytes(32).toString('base64');

export type Signed = {
  /** The event's id, the same on every attempt. */
  id: string;
  /** When this attempt is made, Unix seconds. */
  timestampSec: number;
  /** The exact text that is sent. */
  body: string;
};

function sign(secret: string, { id, timestampSec, body }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSec}.${body}`, 'utf8').digest('base64')}`;
}

/** The three headers of an attempt; one signature per secret, the current secret's first. */
export const signatureHeaders = (secrets: readonly string[], signed: Signed): Record<string, string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestampSec),
  'webhook-signature': secrets.map((secret) => sign(secret, signed)).join(' '),
});
