import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from '../../../src/telephony/message/address.ts';
import { headerLines, headerOf, headerValues, isRequest } from '../../../src/telephony/message/message.ts';
import { identityOf, isFault, parseMessage } from '../../../src/telephony/message/parse.ts';
import { parseUri } from '../../../src/telephony/message/uri.ts';
import { writeMessage } from '../../../src/telephony/message/write.ts';

/** The messages of RFC 4475, byte for byte. */
const folder = join(import.meta.dirname, 'torture');
const bytesOf = (name: string): Buffer => readFileSync(join(folder, `${name}.dat`));
const names = readdirSync(folder).map((file) => file.replace('.dat', ''));

/** Why each message that must not be acted on is refused. All others are read; elements above the parser refuse some of them. */
const refused: Readonly<Record<string, RegExp>> = {
  badinv01: /Via/,
  badvers: /first line/,
  bigcode: /first line/,
  clerr: /shorter/,
  insuf: /Call-ID/,
  ltgtruri: /first line/,
  lwsruri: /first line/,
  lwsstart: /first line/,
  mcl01: /Content-Length/,
  mismatch01: /another method/,
  mismatch02: /another method/,
  multi01: /CSeq|Call-ID|From|To/,
  ncl: /Content-Length/,
  quotbal: /To is no address/,
  scalar02: /CSeq/,
  scalarlg: /CSeq/,
  trws: /first line/,
};

for (const name of names) {
  const reason = refused[name];
  test(`the message ${name} of RFC 4475 is ${reason ? 'refused' : 'read, and the same after it was written again'}`, () => {
    const parsed = parseMessage(bytesOf(name));
    if (reason) return assert.match(isFault(parsed) ? parsed.fault : 'it was read', reason);
    assert.ok(!isFault(parsed), isFault(parsed) ? parsed.fault : '');
    const again = parseMessage(writeMessage(parsed));
    assert.ok(!isFault(again));
    const plain = (message: typeof parsed) => message.headers.filter(([header]) => header !== 'Content-Length');
    assert.deepEqual({ ...again, headers: plain(again) }, { ...parsed, headers: plain(parsed) });
  });
}

const read = (name: string) => {
  const parsed = parseMessage(bytesOf(name));
  assert.ok(!isFault(parsed));
  return parsed;
};

test('folded lines, odd spaces, compact forms and quoted marks of the first torture message are understood', () => {
  const message = read('wsinv');
  assert.ok(isRequest(message));
  const identity = identityOf(message);
  assert.deepEqual(identity.cseq, { number: 9, method: 'INVITE' });
  assert.equal(identity.toTag, '1918181833n');
  assert.equal(identity.fromTag, '98asjd8');
  assert.equal(identity.branch, '390skdjuw');
  assert.equal(headerValues(message, 'Via').length, 3);
  assert.equal(headerValues(message, 'Route').length, 1);
  assert.equal(parseAddress(headerOf(message, 'From')!)?.name, 'J Rosenberg \\"');
  assert.equal(headerOf(message, 'Subject'), '');
  assert.equal(headerOf(message, 'Unknownheaderwithunusualvalue'), ';;,,;;,;');
  assert.equal(message.body.length, 150);
});

test('semicolons in a user belong to the user, and escapes stay as they were sent', () => {
  const uri = parseUri((read('semiuri') as { uri: string }).uri);
  assert.equal(uri?.user, 'user;par=u%40example.net');
  assert.equal(uri?.host, 'example.com');
  assert.equal(parseUri((read('esc01') as { uri: string }).uri)?.user, 'sips%3Auser%40example.com');
});

test('bytes behind the body of a datagram are ignored', () => {
  const message = read('dblreq');
  assert.equal(message.body.length, 0);
  assert.equal(identityOf(message).cseq.method, 'REGISTER');
});

test('a body keeps its bytes', () => {
  assert.equal(read('mpart01').body.length, Number(headerLines(read('mpart01'), 'Content-Length')[0]));
});

test('no bytes make the parser throw: messages of RFC 4475 cut, doubled and with bytes changed', () => {
  const all = names.map(bytesOf);
  const change = fc.record({ at: fc.nat(5000), byte: fc.nat(255), cut: fc.nat(5000), kind: fc.nat(2) });
  fc.assert(
    fc.property(fc.nat(all.length - 1), fc.array(change, { maxLength: 8 }), (index, changes) => {
      let bytes = Buffer.from(all[index]!);
      for (const { at, byte, cut, kind } of changes) {
        if (kind === 0) bytes[at % bytes.length] = byte;
        else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, cut), bytes.subarray(at)]);
        else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte, 13, 10]), bytes.subarray(at)]);
        if (bytes.length === 0) return;
      }
      const parsed = parseMessage(bytes);
      if (!isFault(parsed)) identityOf(parsed);
    }),
    { numRuns: 2000 },
  );
});
