import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A SIP trunk of the tests' own over UDP or TCP. It shares no code with the program, so that it would notice a mistake in either. */

export type PeerMessage = {
  /** Of a request; empty for a response. */
  method: string;
  uri: string;
  /** Of a response; 0 for a request. */
  status: number;
  headers: Array<[name: string, value: string]>;
  body: string;
  text: string;
};

export type PeerAnswer = {
  status: number;
  reason?: string;
  headers?: ReadonlyArray<readonly [string, string]>;
  body?: string;
  /** Null: no tag, as in a 100. */
  tag?: string | null;
};

export type Peer = {
  port: number;
  /** Host and port, as a number's `termination_uri`. */
  uri: string;
  received: PeerMessage[];
  /** The next message for which `matches` is true, also of those that have come since the peer's start and were not taken yet. */
  next(matches: string | ((message: PeerMessage) => boolean)): Promise<PeerMessage>;
  answer(request: PeerMessage, answer: PeerAnswer): void;
  /** Sends a request in the dialog of an INVITE that was answered with `tag`. */
  request(invite: PeerMessage, method: string, parts?: PeerRequest): void;
  sendRaw(text: string): void;
  close(): Promise<void>;
};

export type PeerRequest = { tag?: string; headers?: ReadonlyArray<readonly [string, string]>; body?: string };

export const headerIn = ({ headers }: PeerMessage, name: string): string =>
  headers.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1] ?? '';

export const numberIn = (message: PeerMessage): string => /^sip:([^@]+)@/.exec(message.uri)?.[1] ?? '';

/** Takes a message apart without looking at its sense. */
export function readMessage(text: string): PeerMessage {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const [first = '', second = ''] = start.split(' ');
  const isResponse = first === 'SIP/2.0';
  return {
    method: isResponse ? '' : first,
    uri: isResponse ? '' : second,
    status: isResponse ? Number(second) : 0,
    headers,
    body: rest.join('\r\n\r\n'),
    text,
  };
}

/** A session description with one audio line. */
export const audioOf = (port: number, { address = '127.0.0.1', payloads = '0 101', extra = '' } = {}): string =>
  `v=0\r\no=- 1 1 IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio ${port} RTP/AVP ${payloads}\r\n` +
  `a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n${extra}`;

type Matches = (message: PeerMessage) => boolean;

/** The messages that a peer received, of which a test takes one after the other. */
type Inbox = {
  received: PeerMessage[];
  add(message: PeerMessage): void;
  /** The next message for which `wanted` is true (a method, a status or a test), also of those that came and were not taken. */
  next(wanted: string | Matches): Promise<PeerMessage>;
};

export function createInbox(): Inbox {
  const received: PeerMessage[] = [];
  const taken = new Set<PeerMessage>();
  let waiters: Array<{ matches: Matches; resolve: (message: PeerMessage) => void }> = [];
  return {
    received,
    add(message) {
      received.push(message);
      const waiter = waiters.find(({ matches }) => matches(message));
      if (!waiter) return;
      taken.add(message);
      waiters = waiters.filter((other) => other !== waiter);
      waiter.resolve(message);
    },
    next(wanted) {
      const matches: Matches =
        typeof wanted === 'function'
          ? wanted
          : (message) => message.method === wanted || String(message.status) === wanted;
      const known = received.find((message) => !taken.has(message) && matches(message));
      if (known) {
        taken.add(known);
        return Promise.resolve(known);
      }
      return new Promise((resolve) => waiters.push({ matches, resolve }));
    },
  };
}

type Wire = {
  port: number;
  send(text: string): void;
  onMessage(take: (text: string) => void): void;
  close(): Promise<void>;
};

async function udpWire(): Promise<Wire> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let theirs: RemoteInfo | undefined;
  return {
    port: socket.address().port,
    send: (text) => socket.send(text, theirs!.port, theirs!.address),
    onMessage: (take) =>
      void socket.on('message', (bytes, from) => {
        theirs = from;
        take(bytes.toString('utf8'));
      }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The messages in what came over a connection, and the rest. Bodies are ASCII. */
function framed(text: string): { messages: string[]; rest: string } {
  const messages: string[] = [];
  let rest = text;
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    const length = Number(/^(?:content-length|l)\s*:\s*(\d+)/im.exec(rest.slice(0, head))?.[1] ?? 0);
    if (head === -1 || rest.length < head + 4 + length) return { messages, rest };
    messages.push(rest.slice(0, head + 4 + length));
    rest = rest.slice(head + 4 + length);
  }
}

/** Answers on the newest connection. */
async function tcpWire(): Promise<Wire> {
  const sockets = new Set<Socket>();
  let newest: Socket | undefined;
  let take: (text: string) => void = () => undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    newest = socket;
    let waiting = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const { messages, rest } = framed(waiting + bytes.toString('utf8'));
      waiting = rest;
      for (const message of messages) take(message);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    send: (text) => void newest!.write(text),
    onMessage: (onText) => void (take = onText),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export async function startPeer(
  onRequest?: (peer: Peer, request: PeerMessage) => void,
  { transport = 'udp' }: { transport?: 'udp' | 'tcp' } = {},
): Promise<Peer> {
  const wire = await (transport === 'udp' ? udpWire() : tcpWire());
  const { port } = wire;
  const inbox = createInbox();

  const send = (lines: readonly string[], body: string): void =>
    wire.send([...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));

  const peer: Peer = {
    port,
    uri: `127.0.0.1:${port}`,
    received: inbox.received,
    next: inbox.next,
    answer(request, { status, reason = 'Because', headers = [], body = '', tag = 'peer' }) {
      const kept = request.headers.filter(([name]) => ['Via', 'From', 'Call-ID', 'CSeq'].includes(name));
      const to = headerIn(request, 'To');
      const tagged = tag === null || to.includes(';tag=') ? to : `${to};tag=${tag}`;
      const contact = status >= 180 && status < 300 ? [`Contact: <sip:peer@127.0.0.1:${port}>`] : [];
      const type = body === '' ? [] : ['Content-Type: application/sdp'];
      send(
        [
          `SIP/2.0 ${status} ${reason}`,
          ...kept.map(([name, value]) => `${name}: ${value}`),
          `To: ${tagged}`,
          ...contact,
          ...headers.map(([name, value]) => `${name}: ${value}`),
          ...type,
        ],
        body,
      );
    },
    request(invite, method, { tag = 'peer', headers = [], body = '' } = {}) {
      const contact = /<([^>]+)>/.exec(headerIn(invite, 'Contact'))?.[1] ?? '';
      cseq += 1;
      send(
        [
          `${method} ${contact} SIP/2.0`,
          `Via: SIP/2.0/${transport.toUpperCase()} 127.0.0.1:${port};branch=z9hG4bK${randomBytes(8).toString('hex')}`,
          'Max-Forwards: 70',
          `From: ${headerIn(invite, 'To')};tag=${tag}`,
          `To: ${headerIn(invite, 'From')}`,
          `Call-ID: ${headerIn(invite, 'Call-ID')}`,
          `CSeq: ${cseq} ${method}`,
          `Contact: <sip:peer@127.0.0.1:${port}>`,
          ...headers.map(([name, value]) => `${name}: ${value}`),
          ...(body === '' ? [] : ['Content-Type: application/sdp']),
        ],
        body,
      );
    },
    sendRaw: wire.send,
    close: wire.close,
  };
  let cseq = 0;

  wire.onMessage((text) => {
    const message = readMessage(text);
    inbox.add(message);
    if (message.method !== '') onRequest?.(peer, message);
  });
  return peer;
}
