import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeSecret, signatureHeaders } from '../../../src/features/webhooks/signature.ts';
import { verifies } from './verify.ts';

test('the example in the Standard Webhooks specification gets its published signature', () => {
  const headers = signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSec: 1_614_265_330,
    body: '{"test": 2432232314}',
  });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const [one, two] = [makeSecret(), makeSecret()];
  assert.match(one, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assert.notEqual(one, two);
});

test('a signature verifies with each of the secrets, and not with another secret, body, timestamp or id', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      fc.integer({ min: 0, max: 2 ** 33 }),
      fc.string({ unit: 'binary' }),
      async (id, timestampSec, body) => {
        const [current, previous, other] = [makeSecret(), makeSecret(), makeSecret()];
        const headers = signatureHeaders([current, previous], { id, timestampSec, body });
        assert.ok(await verifies(current, headers, body));
        assert.ok(await verifies(previous, headers, body));
        assert.ok(!(await verifies(other, headers, body)));
        assert.ok(!(await verifies(current, headers, `${body} `)));
        assert.ok(!(await verifies(current, { ...headers, 'webhook-timestamp': String(timestampSec + 1) }, body)));
        assert.ok(!(await verifies(current, { ...headers, 'webhook-id': `${id}0` }, body)));
      },
    ),
  );
});
