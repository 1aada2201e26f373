import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { audioOf, createInbox, headerIn, type PeerMessage, readMessage } from './peer.ts';

/** A SIP trunk that calls us over UDP. It shares no code with the program, so that it would notice a mistake in either. */
export type DialingTrunk = {
  /** Host and port, as a number's `termination_uri`. */
  uri: string;
  received: PeerMessage[];
  /** The next message for which `matches` is true (a method, a status or a test), also of those that came and were not taken. */
  next(matches: string | ((message: PeerMessage) => boolean)): Promise<PeerMessage>;
  /** Sends an INVITE to the port of loopback. */
  invite(port: number, parts: InviteParts): TrunkCall;
  /** Answers a request. */
  answer(request: PeerMessage, status: number, headers?: Headers): void;
  sendRaw(port: number, text: string): void;
  close(): Promise<void>;
};

type Headers = ReadonlyArray<readonly [string, string]>;

export type InviteParts = {
  /** User of the Request-URI. */
  to: string;
  /** The value of From without its tag; by default a caller with E.164. */
  from?: string;
  /** The value of To; by default the Request-URI. */
  toHeader?: string;
  headers?: Headers;
  /** Null: no offer. */
  body?: string | null;
  contentType?: string;
};

export type TrunkCall = {
  callId: string;
  /** The same bytes again. */
  repeat(): void;
  cancel(): void;
  /** The ACK of a response: of its own transaction for a 2xx. */
  ack(response: PeerMessage, body?: string): void;
  /** A request in the dialog that a 2xx made. */
  request(response: PeerMessage, method: string, parts?: { headers?: Headers; body?: string }): void;
};

const branch = (): string => `z9hG4bK${randomBytes(8).toString('hex')}`;

export async function startDialingTrunk(address = '127.0.0.1'): Promise<DialingTrunk> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port: own } = socket.address();
  const uri = `${address}:${own}`;
  const inbox = createInbox();
  let ourPort = 0;

  const sendRaw = (port: number, text: string): void => socket.send(text, port, '127.0.0.1');
  const write = (lines: readonly string[], body: string): string =>
    [...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
  const lines = (headers: Headers): string[] => headers.map(([name, value]) => `${name}: ${value}`);
  const via = (of: string): string => `Via: SIP/2.0/UDP ${uri};branch=${of};rport`;

  function invite(port: number, parts: InviteParts): TrunkCall {
    const callId = randomBytes(12).toString('hex');
    const { to, headers = [], body = audioOf(46_000), contentType = 'application/sdp' } = parts;
    const from = `${parts.from ?? `<sip:+4930901820@${address}>`};tag=${randomBytes(6).toString('hex')}`;
    const target = `sip:${to}@127.0.0.1:${port}`;
    const toValue = parts.toHeader ?? `<${target}>`;
    const first = branch();
    const common = ['Max-Forwards: 70', `From: ${from}`, `Call-ID: ${callId}`];
    const contact = `Contact: <sip:trunk@${uri}>`;
    let cseq = 1;
    const text = write(
      [
        `INVITE ${target} SIP/2.0`,
        via(first),
        ...common,
        `To: ${toValue}`,
        'CSeq: 1 INVITE',
        contact,
        ...lines(headers),
        ...(body === null ? [] : [`Content-Type: ${contentType}`]),
      ],
      body ?? '',
    );
    ourPort = port;
    sendRaw(port, text);
    const within = (
      response: PeerMessage,
      method: string,
      number: number,
      of: string,
      rest: string[],
      sent: string,
    ) => {
      const uriOfContact = /<([^>]+)>/.exec(headerIn(response, 'Contact'))?.[1] ?? target;
      const start = `${method} ${response.status < 300 ? uriOfContact : target} SIP/2.0`;
      sendRaw(
        port,
        write(
          [start, via(of), ...common, `To: ${headerIn(response, 'To')}`, `CSeq: ${number} ${method}`, contact, ...rest],
          sent,
        ),
      );
    };
    return {
      callId,
      repeat: () => sendRaw(port, text),
      cancel: () =>
        sendRaw(
          port,
          write([`CANCEL ${target} SIP/2.0`, via(first), ...common, `To: ${toValue}`, 'CSeq: 1 CANCEL'], ''),
        ),
      ack(response, sent = '') {
        const of = response.status < 300 ? branch() : first;
        within(response, 'ACK', 1, of, sent === '' ? [] : ['Content-Type: application/sdp'], sent);
      },
      request(response, method, { headers: more = [], body: sent = '' } = {}) {
        cseq += 1;
        const type = sent === '' ? [] : ['Content-Type: application/sdp'];
        within(response, method, cseq, branch(), [...lines(more), ...type], sent);
      },
    };
  }

  socket.on('message', (bytes) => {
    const message = readMessage(bytes.toString('utf8'));
    inbox.add(message);
  });

  return {
    uri,
    received: inbox.received,
    invite,
    sendRaw,
    next: inbox.next,
    answer(request, status, headers = []) {
      const kept = request.headers.filter(([name]) => ['Via', 'From', 'To', 'Call-ID', 'CSeq'].includes(name));
      sendRaw(ourPort, write([`SIP/2.0 ${status} Because`, ...lines(kept), ...lines(headers)], ''));
    },
    async close() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
