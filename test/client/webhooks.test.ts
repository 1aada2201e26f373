import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/webhooks.ts';
import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import { propertyRuns } from '../support/property-runs.ts';

const body = '{"event":"call.completed","data":{"summary":"Grüße"}}';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = Date.UTC(2026, 2, 2);
const headers = (secrets: readonly string[] = [secret]) =>
  signatureHeaders(secrets, { id: 'evt_1', timestampSec: now / 1000, body });

test('a webhook that the server signed is accepted and parsed', async () => {
  const bytes = new TextEncoder().encode(body);
  for (const received of [headers(), new Headers(headers()), headers(['plain', secret])]) {
    for (const text of [body, bytes]) {
      const { id, event } = await verifyWebhook({ body: text, headers: received, secret: ['other', secret], now });
      assert.deepEqual([id, event.data.summary], ['evt_1', 'Grüße']);
    }
  }
  await verifyWebhook({ body, headers: headers(['plain']), secret: 'plain', now: now + 300_000 });
});

test('a webhook that was changed, is old, or has another signature is refused', async () => {
  const signed = headers();
  for (const [name, wrong] of Object.entries({
    body: { body: body.replace('completed', 'started') },
    secret: { secret: 'whsec_c2VjcmV0' },
    'secret that is not base64': { secret: 'whsec_%' },
    old: { now: now + 301_000 },
    future: { now: now - 301_000 },
    id: { headers: { ...signed, 'webhook-id': 'evt_2' } },
    timestamp: { headers: { ...signed, 'webhook-timestamp': 'yesterday' } },
    'no signature': { headers: { ...signed, 'webhook-signature': undefined } },
    'another version': {
      headers: { ...signed, 'webhook-signature': signed['webhook-signature']!.replace('v1', 'v2') },
    },
    'not base64': { headers: { ...signed, 'webhook-signature': 'v1,%' } },
  })) {
    await assert.rejects(
      verifyWebhook({ body, headers: signed, secret, now, ...wrong }),
      WebhookVerificationError,
      name,
    );
  }
});

test('whatever a sender without the secret changes or invents, the only outcome is a refusal', async () => {
  const signed = headers();
  const names = Object.keys(signed);
  const changed = fc.record({
    name: fc.constantFrom(...names),
    value: fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.constantFrom('', 'v1,', 'v1', ',', 'v1,=', `v1,${'A'.repeat(43)}=`, ' '.repeat(1000), 'NaN', '1e9', '-1'),
    ),
  });
  await fc.assert(
    fc.asyncProperty(changed, fc.uint8Array(), fc.boolean(), async ({ name, value }, bytes, isBodyChanged) => {
      const forged = isBodyChanged ? { body: bytes, headers: signed } : { body, headers: { ...signed, [name]: value } };
      fc.pre(isBodyChanged || signed[name] !== [value].flat()[0]);
      await assert.rejects(verifyWebhook({ secret, now, ...forged }), WebhookVerificationError);
    }),
    { numRuns: propertyRuns({ few: 50, all: 200 }) },
  );
});

test('a time that is no number accepts nothing', async () => {
  for (const wrong of [{ now: NaN }, { toleranceSec: NaN }, { toleranceSec: -1 }]) {
    await assert.rejects(verifyWebhook({ body, headers: headers(), secret, now, ...wrong }), WebhookVerificationError);
  }
});
