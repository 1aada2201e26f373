/**
 * A SIP trunk on loopback for bench:calls, in a process of its own: it rings, answers each call, and hangs up when its time is over.
 * Arguments: milliseconds until it hangs up (0: never), number of calls whose peers send sound (0: none).
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { startPeers } from '../../test/support/sip/peers.ts';
import { audioOf, headerIn, type PeerMessage, readMessage } from '../../test/support/sip/peer.ts';

/** Since the last request for them. */
export type TrunkFigures = {
  /** When the first INVITE of each call came, by the call's id, in milliseconds since 1970. */
  invitedAt: Record<string, number>;
  answered: number;
  /** Calls that ended with a BYE of either side. */
  ended: number;
  /** Requests that came more than once. */
  repeated: string[];
};
export type TrunkRequest = 'figures' | 'talk';

const [hangUpMs = 0, speakers = 0] = process.argv.slice(2).map(Number);
const uuidChars = 36;

const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 });
socket.bind(0, '127.0.0.1');
await once(socket, 'listening');
const { port } = socket.address();
const silence = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 }); // takes the sound of calls without a peer
silence.bind(0, '127.0.0.1');
await once(silence, 'listening');
const peers = speakers > 0 ? await startPeers(speakers) : undefined;

const seen = new Set<string>();
const theirPorts: number[] = [];
let figures: TrunkFigures = { invitedAt: {}, answered: 0, ended: 0, repeated: [] };

type Line = readonly [string, string];
const write = (start: string, headers: readonly Line[], body = ''): string =>
  [
    start,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

function answer(request: PeerMessage, to: number, status: string, body = ''): void {
  const kept = request.headers.filter(([name]) => ['Via', 'From', 'Call-ID', 'CSeq'].includes(name));
  const own = headerIn(request, 'To');
  const tagged = own.includes(';tag=') ? own : `${own};tag=trunk`;
  const contact: Line = ['Contact', `<sip:trunk@127.0.0.1:${port}>`];
  socket.send(write(`SIP/2.0 ${status}`, [...kept, ['To', tagged], contact], body), to, '127.0.0.1');
}

function hangUp(invite: PeerMessage, to: number): void {
  const uri = /<([^>]+)>/.exec(headerIn(invite, 'Contact'))![1]!;
  const callId = headerIn(invite, 'Call-ID');
  const headers: Line[] = [
    ['Via', `SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${callId};rport`],
    ['Max-Forwards', '70'],
    ['From', `${headerIn(invite, 'To')};tag=trunk`],
    ['To', headerIn(invite, 'From')],
    ['Call-ID', callId],
    ['CSeq', '1 BYE'],
  ];
  socket.send(write(`BYE ${uri} SIP/2.0`, headers), to, '127.0.0.1');
}

function takeInvite(invite: PeerMessage, from: number): void {
  figures.invitedAt[headerIn(invite, 'Call-ID').slice(0, uuidChars)] = Date.now();
  answer(invite, from, '180 Ringing');
  theirPorts.push(Number(/^m=audio (\d+)/m.exec(invite.body)?.[1]));
  answer(invite, from, '200 OK', audioOf(peers?.ports[theirPorts.length - 1] ?? silence.address().port));
  figures.answered += 1;
  if (hangUpMs > 0) setTimeout(() => hangUp(invite, from), hangUpMs);
}

socket.on('message', (bytes, { port: from }) => {
  const message = readMessage(bytes.toString('utf8'));
  if (message.method === '') return void (message.status === 200 && (figures.ended += 1));
  const name = `${message.method} ${headerIn(message, 'CSeq')} ${headerIn(message, 'Call-ID')}`;
  if (message.method !== 'ACK' && seen.has(name)) return void figures.repeated.push(name);
  seen.add(name);
  if (message.method === 'INVITE') takeInvite(message, from);
  if (message.method === 'BYE') {
    answer(message, from, '200 OK');
    figures.ended += 1;
  }
});

process.on('message', (request: TrunkRequest) => {
  if (request === 'talk') {
    peers!.talkTo(theirPorts);
    return process.send!(theirPorts.length);
  }
  process.send!(figures);
  figures = { invitedAt: {}, answered: 0, ended: 0, repeated: [] };
  return undefined;
});
process.on('disconnect', () => process.exit(0));
process.send!(port);
