import type { WebhookEvent } from './operations.generated.ts';

/** Thrown for a webhook that the server did not send, or sent too long ago. Answer it with 401 and ignore its body. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/** Headers of a request: as `fetch` has them, or as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = {
  /** The body exactly as received, before JSON is parsed. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** The agent's webhook secret (`whsec_…`), or several. */
  secret: string | readonly string[];
  /** How far the time of the webhook may be from now. Older ones may be replays. Default: 300. */
  toleranceSec?: number;
  /** Milliseconds since 1970. Default: now. */
  now?: number;
};

/**
 * Verifies the signature of a webhook (Standard Webhooks) and parses its body. `webhook-id` is the same when a webhook is sent again:
 * remember it to handle each event once.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(webhook: WebhookToVerify): Promise<{ id: string; event: WebhookEvent }> {
  const { body, headers, toleranceSec = 300, now = Date.now() } = webhook;
  const header = (name: string): string => headerOf(headers, name);
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (id === '' || timestamp === '' || signatures === '') {
    throw new WebhookVerificationError('The headers webhook-id, webhook-timestamp and webhook-signature are needed.');
  }
  const isInTime = Math.abs(now / 1000 - Number(timestamp)) <= toleranceSec; // false also when one of them is not a number
  if (!/^\d{1,12}$/.test(timestamp) || !isInTime) {
    throw new WebhookVerificationError(`webhook-timestamp is not within ${toleranceSec} s of now.`);
  }
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = concat(encoder.encode(`${id}.${timestamp}.`), bytes);
  for (const secret of [webhook.secret].flat()) {
    if (await isSigned(secret, signatures, signed))
      return { id, event: JSON.parse(decoder.decode(bytes)) as WebhookEvent };
  }
  throw new WebhookVerificationError(
    'The signature does not match. Is it the secret of this agent, and the unchanged body?',
  );
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers['get'] === 'function') return headers.get(name) ?? '';
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return [value].flat()[0] ?? '';
}

async function isSigned(secret: string, signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const keyBytes = keyOf(secret);
  if (keyBytes.length === 0) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes, algorithm, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const [version, encoded = ''] = signature.split(',', 2);
    const bytes = version === 'v1' ? fromBase64(encoded) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

/** After its prefix, a secret is the key in base64. A secret without the prefix is the key itself. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> =>
  secret.startsWith('whsec_')
    ? (fromBase64(secret.slice('whsec_'.length)) ?? new Uint8Array())
    : encoder.encode(secret);

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
