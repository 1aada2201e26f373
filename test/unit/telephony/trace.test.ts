import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { redact } from '../../../src/telephony/message/redact.ts';
import { aCall, startPhone } from '../../support/sip/caller.ts';
import { audioOf, headerIn, startPeer } from '../../support/sip/peer.ts';

test('a log shows neither answers to challenges nor keys of sound, also in folded lines', () => {
  const message = [
    'INVITE sip:1@example.com SIP/2.0',
    'Authorization: Digest username="anna", response="0123"',
    'proxy-authorization : Digest username="anna",',
    '  response="4567"',
    'CSeq: 2 INVITE',
    '',
    'm=audio 40000 RTP/SAVP 8',
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0IGtleQ==|2^20',
    '',
  ];
  assert.deepEqual(redact(message.join('\r\n')).split('\r\n'), [
    'INVITE sip:1@example.com SIP/2.0',
    'Authorization: [redacted]',
    'proxy-authorization : [redacted]',
    'CSeq: 2 INVITE',
    '',
    'm=audio 40000 RTP/SAVP 8',
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[redacted]|2^20',
    '',
  ]);
});

for (const trace of [true, false]) {
  test(`messages of calls are ${trace ? '' : 'not '}logged ${trace ? 'where that is wanted, those of strangers never' : 'otherwise'}`, async (t) => {
    const peer = await startPeer((trunk, request) => {
      if (request.method !== 'INVITE') return;
      const challenge = ['WWW-Authenticate', 'Digest realm="trunk", nonce="n1", algorithm=MD5'] as const;
      if (headerIn(request, 'Authorization') === '') trunk.answer(request, { status: 401, headers: [challenge] });
      else trunk.answer(request, { status: 200, reason: 'OK', body: audioOf(40_000) });
    });
    t.after(() => peer.close());
    const stranger = createSocket('udp4');
    t.after(() => stranger.close());
    stranger.bind(0, '127.0.0.1');
    await once(stranger, 'listening');
    const logged: string[] = [];
    const phone = await startPhone(t, {
      trace,
      log: (level, fields) => void (level === 'trace' && logged.push(JSON.stringify(fields))),
    });
    stranger.send(
      `INVITE sip:scan@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\n` +
        'To: <sip:scan@127.0.0.1>\r\nCall-ID: scan\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n',
      phone.port,
      '127.0.0.1',
    );
    phone.dial(aCall(peer.uri, { credentials: { username: 'anna', password: 'open sesame' } }));
    await phone.report('answered');
    const invite = peer.received.find((request) => headerIn(request, 'Authorization') !== '')!;
    const response = /response="([0-9a-f]{32})"/.exec(headerIn(invite, 'Authorization'))![1]!;
    const all = logged.join('\n');
    assert.equal(all.includes('SIP/2.0 401 Because'), trace);
    assert.equal(/"direction":"sent".*INVITE sip:.*Authorization: \[redacted\]/.test(all), trace);
    assert.ok(![response, 'open sesame', 'scan'].some((secret) => all.includes(secret)));
  });
}
