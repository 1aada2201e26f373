import { webcrypto } from 'node:crypto';

/** Verifies a Standard Webhooks signature as a receiver would, written from the specification with another crypto API than the server. */
export async function verifies(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: string,
): Promise<boolean> {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  if (encoded === undefined) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = Uint8Array.fromBase64(encoded);
  const key = await webcrypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  for (const candidate of String(headers['webhook-signature']).split(' ')) {
    const [version, signature] = candidate.split(',', 2);
    if (version !== 'v1' || signature === undefined) continue;
    const bytes = Uint8Array.fromBase64(signature);
    if (await webcrypto.subtle.verify('HMAC', key, bytes, new TextEncoder().encode(signed))) return true;
  }
  return false;
}
