import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { createConnections } from '../../../src/telephony/transport/connections.ts';
import type { ConnectionLimits } from '../../../src/telephony/transport/connection-limiter.ts';
import type { Hop } from '../../../src/telephony/transport/hop.ts';
import { createUnknownPeers, type PeerLimits } from '../../../src/telephony/transport/unknown-peers.ts';

const folder = join(import.meta.dirname, '../../support/tls');
const file = (name: string): string => readFileSync(join(folder, name), 'utf8');

const message = (method: string): string =>
  `${method} sip:x@y SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>\r\n` +
  `Call-ID: 1\r\nCSeq: 1 ${method}\r\nContent-Length: 0\r\n\r\n`;

const never = 3_600_000;
const ample: PeerLimits = { unknown: 100, unknownPerAddress: 100, perOwner: 100, all: 100 };

type Options = { limits?: Partial<ConnectionLimits>; peers?: Partial<PeerLimits>; transport?: 'tcp' | 'tls' };

/** A listener to which every BYE is ours. */
async function aListener(t: TestContext, { limits = {}, peers = {}, transport = 'tcp' }: Options = {}) {
  const came: Hop[] = [];
  const connections = createConnections(
    { cert: file('server.crt'), key: file('server.key'), ca: null },
    createUnknownPeers(() => undefined, { ...ample, ...peers }),
    {
      message(parsed, hop) {
        came.push(hop);
        return 'method' in parsed && parsed.method === 'BYE';
      },
      broken: () => undefined,
    },
    { partMs: never, idleMs: never, ...limits },
  );
  t.after(() => connections.close());
  const port = await connections.listen('127.0.0.1', 0, transport);
  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }
  return { connections, came, port, open };
}

/** Resolves when the other side has closed it; what was written meanwhile may make that a reset. */
const closed = (socket: Socket): Promise<void> =>
  new Promise(
    (resolve) =>
      void socket
        .on('error', () => undefined)
        .on('close', resolve)
        .resume(),
  );

test('a connection of an unknown peer that says nothing of ours is closed', async (t) => {
  const { open } = await aListener(t, { limits: { idleMs: 50 } });
  const [silent, noisy] = [await open(), await open()];
  noisy.write(message('OPTIONS'));
  await Promise.all([closed(silent), closed(noisy)]);
});

test('a connection with a message of ours stays open, and half a message closes even that one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { open, came } = await aListener(t, { limits: { idleMs: 3000, partMs: 500 } });
  const [ours, silent] = [await open(), await open()];
  ours.write(message('BYE'));
  while (came.length === 0) await nextMacrotask();
  const isSilentClosed = closed(silent);
  t.mock.timers.tick(3000);
  await isSilentClosed;
  assert.equal(ours.closed, false);
  let isOpen = true;
  void closed(ours).then(() => (isOpen = false));
  ours.write('BYE sip:x@y SIP/2.0\r\n');
  for (; isOpen; t.mock.timers.tick(500)) await nextMacrotask();
  assert.equal(came.length, 1);
});

test('a message that drips in is not waited for', async (t) => {
  const { open, came } = await aListener(t, { limits: { partMs: 100 } });
  const socket = await open();
  const bytes = message('BYE');
  let sent = 0;
  const drip = setInterval(() => socket.write(bytes[(sent += 1) % (bytes.length - 1)]!), 10);
  t.after(() => clearInterval(drip));
  await closed(socket);
  assert.deepEqual(came, []);
});

test('a stream of messages is never cut, although each piece ends in the middle of one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { open, came } = await aListener(t, { limits: { partMs: 500 } });
  const socket = await open();
  const bytes = message('BYE');
  const half = Math.floor(bytes.length / 2);
  socket.write(bytes.slice(0, half));
  for (let pieces = 1; pieces <= 10; pieces += 1) {
    socket.write(bytes.slice(half) + bytes.slice(0, half));
    while (came.length < pieces && !socket.closed) await nextMacrotask();
    t.mock.timers.tick(400);
  }
  assert.equal(socket.closed, false);
  assert.equal(came.length, 10);
});

for (const transport of ['tcp', 'tls'] as const) {
  test(`unknown peers cannot take all connections over ${transport.toUpperCase()}: the oldest is closed`, async (t) => {
    const { open } = await aListener(t, { transport, peers: { unknown: 2 } });
    const sockets = [await open(), await open()];
    const isFirstClosed = closed(sockets[0]!);
    await open();
    await isFirstClosed;
    assert.equal(sockets[1]!.closed, false);
  });
}

test('connections of one address are limited before their TLS handshake, and a slot is free again after', async (t) => {
  const { open, port, came } = await aListener(t, { transport: 'tls', peers: { unknownPerAddress: 1 } });
  const first = await open();
  await closed(await open());
  first.destroy();
  for (;;) {
    const socket = connectTls({ port, host: '127.0.0.1', ca: file('ca.crt') });
    t.after(() => socket.destroy());
    const isOpen = await Promise.race([
      once(socket, 'secureConnect').then(
        () => true,
        () => false,
      ),
      closed(socket).then(() => false),
    ]);
    if (!isOpen) continue; // the listener has not seen yet that the first has left
    socket.write(message('BYE'));
    break;
  }
  while (came.length === 0) await nextMacrotask();
});

test('an answer is not sent by opening a connection to the port that the caller had by chance', async (t) => {
  const { connections, open, came } = await aListener(t);
  const socket = await open();
  socket.write(message('BYE'));
  while (came.length === 0) await nextMacrotask();
  const arrived = once(socket, 'data');
  await connections.send(came[0]!, Buffer.from('answer'));
  assert.equal(String((await arrived)[0]), 'answer');
  socket.destroy();
  await assert.rejects(async () => {
    for (;;) {
      await connections.send(came[0]!, Buffer.from('answer'));
      await nextMacrotask();
    }
  }, /closed/);
});

test('a message that is not wanted any more when its connection opens is not sent', async (t) => {
  const { connections } = await aListener(t);
  const other = await aListener(t);
  const hop: Hop = { transport: 'tcp', address: '127.0.0.1', port: other.port, serverName: '127.0.0.1' };
  let isWanted = true;
  const sending = connections.send(hop, Buffer.from(message('INVITE')), () => isWanted);
  isWanted = false;
  await sending;
  await connections.send(hop, Buffer.from(message('BYE')));
  while (other.came.length === 0) await nextMacrotask();
  assert.equal(other.came.length, 1);
});
