import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { orderSrv, readTarget, resolveHops } from '../../../src/telephony/transport/resolve.ts';
import { aCall, callId, startPhone } from '../../support/sip/caller.ts';

const folder = join(import.meta.dirname, '../../support/tls');
const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
const key = Buffer.alloc(30, 7).toString('base64');

type Trunk = {
  port: number;
  connections: () => number;
  /** The ports that its connections come from. */
  callers: number[];
  requests: string[];
  drop(): void;
};

/** A trunk over TCP or TLS that accepts every call, and hangs up where `hangsUp` says so. */
async function aTrunk(
  t: TestContext,
  make: (accept: (socket: Socket) => void) => Server,
  secure = false,
): Promise<Trunk> {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const callers: number[] = [];
  const server = make((socket) => {
    sockets.push(socket);
    callers.push(socket.remotePort!);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const text of bytes.toString('utf8').split(/(?=^(?:INVITE|ACK|BYE|CANCEL) )/m)) {
        requests.push(text);
        if (!text.startsWith('ACK')) socket.write(acceptance(text, socket.localPort!, secure));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    requests,
    callers,
    drop: () => sockets.forEach((socket) => socket.destroy()),
  };
}

function acceptance(request: string, port: number, secure: boolean): string {
  const kept = request.split('\r\n').filter((line) => /^(?:Via|From|Call-ID|CSeq): /.test(line));
  const to = /^To: .*$/m.exec(request)![0].trim();
  const body = request.startsWith('INVITE')
    ? `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/${secure ? 'SAVP' : 'AVP'} 8\r\n` +
      (secure ? `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}\r\n` : '')
    : '';
  const transport = secure ? 'tls' : 'tcp';
  return [
    'SIP/2.0 200 OK',
    ...kept,
    to.includes('tag=') ? to : `${to};tag=trunk`,
    `Contact: <sip:trunk@127.0.0.1:${port};transport=${transport}>`,
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

test('a call over TCP uses one connection for everything, and says so in Via and Contact', async (t) => {
  const trunk = await aTrunk(t, (accept) => createServer(accept));
  const phone = await startPhone(t);
  phone.dial(aCall(`127.0.0.1:${trunk.port}`, { trunk: { uri: `127.0.0.1:${trunk.port}`, transport: 'tcp' } }));
  const answered = await phone.report('answered');
  assert.equal(answered.sip.codec, 'PCMA');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  await phone.report('ended');
  assert.equal(trunk.connections(), 1);
  assert.match(trunk.requests[0]!, /^Via: SIP\/2\.0\/TCP 127\.0\.0\.1:\d+;branch=z9hG4bK/m);
  assert.match(trunk.requests[0]!, /^Contact: <sip:\+4930901821@127\.0\.0\.1:\d+;transport=tcp>/m);
});

test('a refused TCP connection means that the trunk is out of reach', async (t) => {
  const trunk = await aTrunk(t, (accept) => createServer(accept));
  const phone = await startPhone(t);
  phone.dial(
    aCall('', { trunk: { uri: '127.0.0.1:1;transport=tcp'.replace(';transport=tcp', ''), transport: 'tcp' } }),
  );
  assert.match(
    (await phone.report('out-of-reach')).reason,
    /127\.0\.0\.1:1 \(TCP\): nothing accepts connections there \(ECONNREFUSED/,
  );
  assert.equal(trunk.connections(), 0);
});

test('a connection that breaks in mid-call does not keep the call from being hung up', async (t) => {
  const trunk = await aTrunk(t, (accept) => createServer(accept));
  const phone = await startPhone(t);
  phone.dial(aCall('', { trunk: { uri: `127.0.0.1:${trunk.port}`, transport: 'tcp' } }));
  await phone.report('answered');
  trunk.drop();
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  assert.equal((await phone.report('ended')).end.status, 'completed');
});

const tlsTrunk = (t: TestContext, name = 'server') =>
  aTrunk(t, (accept) => createTlsServer({ cert: file(`${name}.crt`), key: file(`${name}.key`) }, accept), true);
const transportWith = (ca: string | null) => ({
  transport: {
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: { cert: null, key: null, ca },
    advertisedHost: null,
  },
});

test('over TLS a certificate of a private CA is accepted where that CA is trusted, and the sound is encrypted', async (t) => {
  const trunk = await tlsTrunk(t);
  const resolver = { srv: () => Promise.resolve([]), addresses: () => Promise.resolve(['127.0.0.1']) };
  const phone = await startPhone(t, { ...transportWith(file('ca.crt')), resolver });
  phone.dial(aCall('', { trunk: { uri: `localhost:${trunk.port}`, transport: 'tls' } }));
  const { sip } = await phone.report('answered');
  assert.equal(sip.srtp, true);
  assert.match(trunk.requests[0]!, /^m=audio \d+ RTP\/SAVP 0 8 101/m);
  const ownPort = trunk.callers[0]!; // there is no TLS listener, so the trunk finds us by the connection
  assert.match(trunk.requests[0]!, new RegExp(`^Via: SIP/2.0/TLS 127.0.0.1:${ownPort};`, 'm'));
  assert.match(trunk.requests[0]!, new RegExp(`^Contact: <sip:\\+4930901821@127.0.0.1:${ownPort};transport=tls>`, 'm'));
  assert.match(trunk.requests[0]!, /^a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[A-Za-z0-9+/]{40}/m);
});

for (const [what, host, ca, name, expected] of [
  ['without its CA', 'localhost', null, 'server', /\(TLS\): .*certificate/i],
  ['with another name', 'sip.example.com', 'ca.crt', 'server', /\(TLS\): .*altnames/i],
  ['that has expired', 'localhost', 'expired.crt', 'expired', /\(TLS\): certificate has expired/],
] as const) {
  test(`a trunk's certificate ${what} is refused`, async (t) => {
    const trunk = await tlsTrunk(t, name);
    const resolver = { srv: () => Promise.resolve([]), addresses: () => Promise.resolve(['127.0.0.1']) };
    const phone = await startPhone(t, { ...transportWith(ca === null ? null : file(ca)), resolver });
    phone.dial(aCall('', { trunk: { uri: `${host}:${trunk.port}`, transport: 'tls' } }));
    assert.match((await phone.report('out-of-reach')).reason, expected);
    assert.deepEqual(trunk.requests, []);
  });
}

test('a name is looked up by its SRV records, with the lowest priority first, and else by its addresses', async () => {
  const records = [
    { name: 'second.example.com', port: 5070, priority: 20, weight: 0 },
    { name: 'first.example.com', port: 5080, priority: 10, weight: 5 },
  ];
  const addresses = (name: string) =>
    Promise.resolve(name.startsWith('first') ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.3']);
  const asked: string[] = [];
  const srv = (name: string) => {
    asked.push(name);
    return name.endsWith('.example.com') ? Promise.resolve(records) : Promise.reject(new Error('no such name'));
  };
  const addressesOf = async (uri: string, transport: 'udp' | 'tcp' | 'tls' | null) =>
    (await resolveHops(readTarget({ uri, transport }), { srv, addresses }, () => 0)).map(
      ({ transport: own, address, port }) => `${own} ${address}:${port}`,
    );
  assert.deepEqual(await addressesOf('sips:plain.test', null), ['tls 192.0.2.3:5061']);
  assert.deepEqual(await addressesOf('trunk.example.com', null), [
    'udp 192.0.2.1:5080',
    'udp 192.0.2.2:5080',
    'udp 192.0.2.3:5070',
  ]);
  assert.deepEqual(await addressesOf('sip:trunk.example.com;transport=tcp', null), [
    'tcp 192.0.2.1:5080',
    'tcp 192.0.2.2:5080',
    'tcp 192.0.2.3:5070',
  ]);
  assert.deepEqual(await addressesOf('trunk.example.com:5090', 'tls'), ['tls 192.0.2.3:5090']);
  assert.deepEqual(await addressesOf('[2001:db8::1]', null), ['udp 2001:db8::1:5060']);
  assert.deepEqual(asked, ['_sips._tcp.plain.test', '_sip._udp.trunk.example.com', '_sip._tcp.trunk.example.com']);
});

test('of SRV records with one priority the heavier ones are drawn more often, and every record comes', () => {
  const records = [1, 9].map((weight) => ({ priority: 1, weight }));
  let drawn = 0;
  const draw = () => (drawn++ % 10) / 10 + 0.05;
  const firsts = Array.from({ length: 10 }, () => {
    const ordered = orderSrv(records, draw);
    assert.equal(ordered.length, 2);
    drawn += drawn % 2; // the second draw of a pair decides nothing
    return ordered[0]!.weight;
  });
  assert.ok(firsts.filter((weight) => weight === 9).length >= 8, String(firsts));
});
