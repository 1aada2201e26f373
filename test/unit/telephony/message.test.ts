import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Address, parseAddress, writeAddress } from '../../../src/telephony/message/address.ts';
import { authorization, chooseChallenge } from '../../../src/telephony/message/digest.ts';
import { createFraming } from '../../../src/telephony/message/framing.ts';
import { fullName, headerLines, type Message, noBody } from '../../../src/telephony/message/message.ts';
import { isFault, parseMessage } from '../../../src/telephony/message/parse.ts';
import { parseUri, type SipUri, writeUri } from '../../../src/telephony/message/uri.ts';
import { parseVia, writeVia } from '../../../src/telephony/message/via.ts';
import { writeMessage } from '../../../src/telephony/message/write.ts';

const token = fc.stringMatching(/^[A-Za-z0-9.!%*_+`'~-]{1,20}$/);
const parameterName = fc.stringMatching(/^[a-z0-9.!%*_+`'~-]{1,12}$/);
/** A record with the prototype of a literal, so that `deepEqual` takes it for one. */
const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape, { noNullPrototype: true });

/** Printable text without line breaks, as it may stand in quotes. */
const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((value) => value.replace(/\p{C}/gu, ''));
const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('2001:db8::1', '::1', 'fe80::1:2'));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
const uri: fc.Arbitrary<SipUri> = record({
  scheme: fc.constantFrom('sip', 'sips'),
  user: fc.option(fc.stringMatching(/^[A-Za-z0-9._~!*'()&=+$,;?/%:-]{1,20}$/)),
  host,
  port,
  parameters: fc
    .array(fc.tuple(parameterName, fc.oneof(token, fc.constant(''))), { maxLength: 4 })
    .map((entries) => new Map(entries)),
});
const parameters = fc
  .array(fc.tuple(parameterName, text), { maxLength: 4 })
  .map((entries) => new Map(entries.map(([name, value]) => [name, value.trim()])));
const address: fc.Arbitrary<Address> = record({
  name: fc.option(text.filter((value) => value.trim() !== '')),
  uri: uri.map(writeUri),
  parameters,
});

test('every URI reads as it was written', () => {
  fc.assert(fc.property(uri, (value) => assert.deepEqual(parseUri(writeUri(value)), value)));
});

test('every address reads as it was written, whatever stands in its quotes', () => {
  fc.assert(fc.property(address, (value) => assert.deepEqual(parseAddress(writeAddress(value)), value)));
});

test('every Via reads as it was written', () => {
  const via = record({ transport: fc.constantFrom('UDP', 'TCP', 'TLS'), host, port, parameters });
  fc.assert(fc.property(via, (value) => assert.deepEqual(parseVia(writeVia(value)), value)));
});

const message: fc.Arbitrary<Message> = record({
  start: fc.oneof(
    record({ method: token, uri: uri.map(writeUri) }),
    record({ status: fc.integer({ min: 100, max: 699 }), reason: text.map((value) => value.trim()) }),
  ),
  from: address,
  to: address,
  callId: token,
  number: fc.nat(2 ** 31 - 1),
  others: fc.array(fc.tuple(fc.stringMatching(/^[A-Z][a-z]{2,8}-[A-Z][a-z]{2,8}$/), text), { maxLength: 5 }),
  body: fc.uint8Array({ maxLength: 200 }),
}).map(({ start, from, to, callId, number, others, body }) => ({
  ...start,
  headers: [
    ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKx'] as const,
    ['From', writeAddress(from)] as const,
    ['To', writeAddress(to)] as const,
    ['Call-ID', callId] as const,
    ['CSeq', `${number} ${'method' in start ? start.method : 'INVITE'}`] as const,
    ...others
      .filter(([name]) => name !== 'Content-Length')
      .map(([name, value]) => [fullName(name), value.trim()] as const),
  ],
  body: Buffer.from(body),
}));

test('every message reads as it was written', () => {
  fc.assert(
    fc.property(message, (value) => {
      const parsed = parseMessage(writeMessage(value));
      assert.ok(!isFault(parsed), isFault(parsed) ? parsed.fault : '');
      const headers = parsed.headers.filter(([name]) => name !== 'Content-Length');
      assert.deepEqual({ ...parsed, headers }, value);
    }),
  );
});

test('a reason phrase may hold any character but a line break', () => {
  const answer = (reason: string) =>
    parseMessage(
      Buffer.from(
        `SIP/2.0 486 ${reason}\r\nVia: SIP/2.0/UDP 192.0.2.1\r\nFrom: <sip:a@b.example>\r\nTo: <sip:c@d.example>\r\nCall-ID: x\r\nCSeq: 1 INVITE\r\n\r\n`,
      ),
    );
  for (const reason of ['', 'Besetzt \u2028 ☎', 'a\u0085b']) {
    const parsed = answer(reason);
    assert.ok(!isFault(parsed) && 'reason' in parsed && parsed.reason === reason, JSON.stringify(reason));
  }
  assert.ok(isFault(answer('a\nb')));
});

test('a stream of messages is cut at the same places, however its bytes arrive', () => {
  const cuts = fc.array(fc.nat(2000), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), cuts, (messages, places) => {
      const bytes = Buffer.concat(messages.flatMap((each) => [Buffer.from('\r\n\r\n'), writeMessage(each)]));
      const sorted = [...places.map((place) => place % bytes.length), bytes.length].toSorted((a, b) => a - b);
      const framing = createFraming();
      let from = 0;
      const found = sorted.flatMap((to) => {
        const part = framing.push(Buffer.from(bytes.subarray(from, to)));
        from = to;
        return part;
      });
      assert.deepEqual(
        found,
        messages.map((each) => parseMessage(writeMessage(each))),
      );
    }),
  );
});

test('a stream whose next message cannot be found ends with a fault', () => {
  const framing = createFraming();
  const [fault, ...rest] = framing.push(Buffer.from('OPTIONS sip:a@b SIP/2.0\r\nVia: x\r\n\r\n'));
  assert.match(fault && isFault(fault) ? fault.fault : '', /Content-Length is missing/);
  assert.deepEqual([...rest, ...framing.push(Buffer.from('more'))], []);
  assert.match(JSON.stringify(createFraming().push(Buffer.alloc(70_000, 97))), /too long/);
});

test('a line break in a value cannot begin a header of its own', () => {
  const headers = [
    ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKx'],
    ['From', '<sip:a@b>;tag=1'],
    ['To', '<sip:a@b>\r\nX-Evil: 1'],
    ['Call-ID', 'c'],
    ['CSeq', '1 BYE'],
  ] as const;
  const written = writeMessage({ method: 'BYE', uri: 'sip:a@b', headers, body: noBody }).toString();
  assert.doesNotMatch(written, /^X-Evil/m);
});

test('limits on lines, headers and size are enforced', () => {
  const withHeaders = (lines: string): Buffer =>
    Buffer.from(
      `OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\n${lines}\r\n`,
    );
  const faultOf = (bytes: Buffer): string => {
    const parsed = parseMessage(bytes);
    return isFault(parsed) ? parsed.fault : '';
  };
  assert.equal(faultOf(withHeaders('')), '');
  assert.equal(faultOf(withHeaders(`X: ${'a'.repeat(9000)}\r\n`)), 'a line is too long');
  assert.equal(faultOf(withHeaders('X: a\r\n'.repeat(300))), 'too many headers');
  assert.equal(faultOf(withHeaders(`X: ${'a'.repeat(8000)}\r\n`.repeat(6))), 'the headers are too long');
  assert.equal(faultOf(Buffer.alloc(70_000)), 'too long');
});

// RFC 2617, section 3.5, RFC 7616, section 3.9.1, and RFC 2069, section 2.4 (its erratum).
const mufasa = { username: 'Mufasa', password: 'Circle of Life' };
const target = { method: 'GET', uri: '/dir/index.html' };
const responseIn = (value: string): string => /response="([^"]+)"/.exec(value)?.[1] ?? '';

test('digests are those of the RFCs: MD5 and SHA-256 with qop=auth, and MD5 without', () => {
  const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093';
  const [withQop] = [
    chooseChallenge([`Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="${nonce}", opaque="5c"`]),
  ];
  assert.equal(
    responseIn(authorization(withQop!, { ...mufasa, password: 'Circle Of Life' }, { ...target, cnonce: '0a4f113b' })),
    '6629fae49393a05397450978507c4ef1',
  );
  const strong = chooseChallenge([
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"',
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe"',
  ])!;
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  assert.equal(
    responseIn(authorization(strong, { ...mufasa, password: 'Circle of Life' }, { ...target, cnonce })),
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  );
  const plain = chooseChallenge([`Digest realm="testrealm@host.com", nonce="${nonce}"`])!;
  const old = authorization(plain, { username: 'Mufasa', password: 'CircleOfLife' }, { ...target, cnonce: 'x' });
  assert.equal(responseIn(old), '1949323746fe6a43ef61f9606e7febea');
  assert.doesNotMatch(old, /qop|cnonce/);
});

test('only digest challenges that can be answered are chosen, and stale ones are told apart', () => {
  assert.equal(chooseChallenge(['Basic realm="x"', 'Digest realm="x", nonce="n", algorithm=SHA-512-256']), undefined);
  assert.equal(chooseChallenge(['Digest realm="x", nonce="n", qop="auth-int"']), undefined);
  assert.equal(chooseChallenge(['Digest realm="a, b", nonce="n", stale=TRUE'])?.stale, true);
  assert.equal(chooseChallenge(['Digest realm="a, b", nonce="n"'])?.realm, 'a, b');
});

test('header names are known in their compact forms and in any case', () => {
  assert.deepEqual(['v', 'CALL-ID', 'l', 'www-authenticate', 'x-own'].map(fullName), [
    'Via',
    'Call-ID',
    'Content-Length',
    'WWW-Authenticate',
    'X-Own',
  ]);
  const parsed = parseMessage(
    Buffer.from(
      'BYE sip:a@b SIP/2.0\r\nv: SIP/2.0/UDP h;branch=1\r\nf: <sip:a@b>\r\nt: <sip:a@b>\r\ni: c\r\nCSeq: 1 BYE\r\n\r\n',
    ),
  );
  assert.ok(!isFault(parsed));
  assert.deepEqual(headerLines(parsed, 'Call-ID'), ['c']);
});
