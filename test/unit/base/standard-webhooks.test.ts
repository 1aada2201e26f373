import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  headersFault,
  isSecret,
  isSignedWith,
  secretPrefix,
  signatureHeaders,
  type SignatureHeaders,
} from '../../../src/base/standard-webhooks.ts';

/** The example from the specification. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"test": 2432232314}');
const example: SignatureHeaders = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('the signature from the specification verifies, alone or among others', () => {
  assert.ok(isSignedWith(secret, example, body));
  for (const signature of [`v1,AAAA ${example.signature}`, `v1a,x ${example.signature} v1,`]) {
    assert.ok(isSignedWith(secret, { ...example, signature }, body));
  }
});

test('another id, timestamp, body, secret or version does not verify', () => {
  assert.ok(!isSignedWith(secret, { ...example, id: 'msg_other' }, body));
  assert.ok(!isSignedWith(secret, { ...example, timestamp: '1614265331' }, body));
  assert.ok(!isSignedWith(secret, example, Buffer.from('{"test": 2432232315}')));
  assert.ok(!isSignedWith('whsec_b3RoZXI=', example, body));
  for (const signature of [example.signature.replace('v1', 'v2'), example.signature.slice(3), 'v1', 'v1,', '']) {
    assert.ok(!isSignedWith(secret, { ...example, signature }, body), signature);
  }
});

test('a signature with any text or base64 secret verifies over the same bytes only', () => {
  const base64 = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => secretPrefix + bytes.toBase64());
  const text = fc.string({ minLength: 1 }).filter(isSecret);
  fc.assert(
    fc.property(fc.oneof(base64, text), fc.string({ unit: 'grapheme' }), fc.nat(), (key, content, timestampSec) => {
      assert.ok(isSecret(key));
      const signed = signatureHeaders([key], { id: 'msg_1', timestampSec, body: content });
      const headers = {
        id: signed['webhook-id']!,
        timestamp: signed['webhook-timestamp']!,
        signature: signed['webhook-signature']!,
      };
      assert.ok(isSignedWith(key, headers, Buffer.from(content)));
      assert.ok(!isSignedWith(key, headers, Buffer.from(`${content} `)));
    }),
  );
});

test('isSecret accepts base64 after whsec_, and refuses empty keys', () => {
  for (const good of [secret, 'whsec_AA', 'whsec_AAA=', 'open sesame', 'WHSEC_']) assert.ok(isSecret(good), good);
  for (const bad of ['', 'whsec_', 'whsec_A', 'whsec_AAAAA', 'whsec_====', 'whsec_a b', 'whsec_a-_b']) {
    assert.ok(!isSecret(bad), bad);
  }
});

test('headersFault names missing headers, malformed timestamps, and timestamps more than five minutes from now', () => {
  const nowSec = 1_614_265_330;
  const fault = (changes: Partial<SignatureHeaders>) => headersFault({ ...example, ...changes }, [nowSec]);
  for (const away of [-300, 0, 300]) assert.equal(fault({ timestamp: String(nowSec + away) }), undefined);
  for (const away of [-301, 301])
    assert.match(fault({ timestamp: String(nowSec + away) }) ?? '', /more than 5 minutes/);
  for (const timestamp of ['now', '1e9', '-5', ' 5', '0x5f', '9'.repeat(13)]) {
    assert.match(fault({ timestamp }) ?? '', /not in Unix seconds/, timestamp);
  }
  for (const missing of ['id', 'timestamp', 'signature']) assert.match(fault({ [missing]: '' }) ?? '', /is needed/);
});
