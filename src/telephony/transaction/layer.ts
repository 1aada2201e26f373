import { messageOf } from '../../base/errors.ts';
import {
  type Header,
  headerLines,
  isRequest,
  type Message,
  noBody,
  type Request,
  type Response,
} from '../message/message.ts';
import { type Identity, identityOf } from '../message/parse.ts';
import { writeMessage } from '../message/write.ts';
import { type Hop, hopKey, isReliable } from '../transport/hop.ts';
import { replyHop, replyHopWithoutConnection } from '../transport/reply-hop.ts';
import { runMachine } from './running.ts';

export type ClientHandlers = {
  response(response: Response): void;
  /** No final response will come: none came in time, or the request could not be sent. */
  /** `isSilent`: the request left, and no answer came in time. */
  failed(reason: string, isSilent: boolean): void;
};

export type ClientTransaction = {
  /** The request does not leave any more: it is not repeated, nor sent on a connection that is still being opened. */
  withdraw(): void;
  /** Its CANCEL was sent, so it gives up when no final response follows. */
  cancelled(): void;
  /** Ends it at once: nothing is repeated or heard any more. */
  abandon(): void;
};

/** A request of the other side that waits for our answer. */
export type ServerTransaction = {
  answer(response: Response): void;
};

export type LayerOptions = {
  /** With `isWanted`, sends nothing if that is false once the connection is open. */
  send: (hop: Hop, bytes: Buffer, isWanted?: () => boolean) => Promise<void>;
  /** Asked before each sending of an INVITE, the first and its repetitions. */
  mayInvite: () => boolean;
  /** Whether a request that begins a transaction is taken at all; an unknown source gets no answer, and costs no memory. */
  admits: (request: Request, from: Hop) => boolean;
  /** A request that begins a transaction, or the ACK of a 2xx, which cannot be answered. */
  onRequest: (request: Request, from: Hop, server: ServerTransaction) => void;
  /** A response without a transaction: a late or repeated 2xx, or an unknown peer's. */
  onStray: (response: Response, from: Hop) => void;
};

/** Runs the machines of all transactions, and finds the one that a message belongs to. */
export type Transactions = {
  request(request: Request, hop: Hop, handlers: ClientHandlers): ClientTransaction;
  /** Sends a request that has no transaction: the ACK of a 2xx. */
  sendAlone(request: Request, hop: Hop): void;
  receive(message: Message, from: Hop): void;
  /** A connection broke. */
  broken(hop: Hop, reason: string): void;
  count(): number;
  /** Stops all timers; nothing is repeated any more. */
  close(): void;
};

type Entry = { hop: Hop; receive(message: Message): void; broken(reason: string): void; stop(): void };

const clientKey = ({ branch, cseq }: Identity): string => `${branch} ${cseq.method}`;
const serverKey = ({ branch, sentBy, cseq }: Identity): string =>
  `${branch} ${sentBy} ${cseq.method === 'ACK' ? 'INVITE' : cseq.method}`;

export function createTransactions(options: LayerOptions): Transactions {
  const clients = new Map<string, Entry>();
  const servers = new Map<string, Entry>();

  function receiveRequest(request: Request, from: Hop): void {
    const key = serverKey(identityOf(request));
    const known = servers.get(key);
    if (known) return known.receive(request);
    if (!options.admits(request, from)) return;
    if (request.method === 'ACK') return options.onRequest(request, from, { answer: () => undefined });
    const entry = serverEntry(options, request, from, () => servers.delete(key));
    servers.set(key, entry);
    options.onRequest(request, from, entry);
  }

  return {
    request(request, hop, handlers) {
      const key = clientKey(identityOf(request));
      const entry = clientEntry(options, request, hop, handlers, () => clients.delete(key));
      clients.set(key, entry);
      entry.begin();
      return entry;
    },
    sendAlone: (request, hop) => void options.send(hop, writeMessage(request)).catch(() => undefined),
    receive(message, from) {
      if (isRequest(message)) return receiveRequest(message, from);
      const entry = clients.get(clientKey(identityOf(message)));
      if (entry) entry.receive(message);
      else options.onStray(message, from);
    },
    broken(hop, reason) {
      const key = hopKey(hop);
      for (const entry of [...clients.values()]) if (hopKey(entry.hop) === key) entry.broken(reason);
    },
    count: () => clients.size + servers.size,
    close() {
      for (const entry of [...clients.values(), ...servers.values()]) entry.stop();
      clients.clear();
      servers.clear();
    },
  };
}

function clientEntry(
  { send, mayInvite }: LayerOptions,
  request: Request,
  hop: Hop,
  handlers: ClientHandlers,
  onEnd: () => void,
): Entry & ClientTransaction & { begin(): void } {
  const bytes = writeMessage(request);
  let last: Response | undefined;
  let fault = '';
  let isWithdrawn = false;
  const broken = (reason: string): void => {
    fault = reason;
    machine.handle({ type: 'broken' });
  };
  const post = (message: Buffer, isWanted?: () => boolean): void =>
    void send(hop, message, isWanted).catch((error: unknown) => broken(messageOf(error)));
  const isInvite = request.method === 'INVITE';
  const mayLeave = (): boolean => !isInvite || mayInvite();
  const machine = runMachine(
    isInvite ? 'invite-client' : 'client',
    isReliable(hop),
    ({ type }) => {
      if (type === 'send') {
        if (mayLeave()) post(bytes, () => !isWithdrawn && mayLeave());
      } else if (type === 'send-ack') post(writeMessage(ackOf(request, last!)));
      else if (type === 'deliver') handlers.response(last!);
      else if (type === 'timed-out') handlers.failed(`no answer from ${hop.address}:${hop.port} within 32 s`, true);
      else handlers.failed(fault, false);
    },
    onEnd,
  );
  return {
    hop,
    begin: () => machine.begin(),
    receive(message) {
      last = message as Response;
      machine.handle({ type: 'response', status: last.status });
    },
    broken,
    withdraw() {
      isWithdrawn = true;
      machine.handle({ type: 'withdrawn' });
    },
    cancelled: () => machine.handle({ type: 'cancelled' }),
    abandon() {
      machine.stop();
      onEnd();
    },
    stop: () => machine.stop(),
  };
}

function serverEntry(
  { send, onRequest }: LayerOptions,
  request: Request,
  hop: Hop,
  onEnd: () => void,
): Entry & ServerTransaction {
  let last: Buffer | undefined;
  let ack: Request | undefined;
  const target = replyHop(request, hop);
  const otherwise = replyHopWithoutConnection(request, hop);
  async function post(answer: Buffer): Promise<void> {
    try {
      await send(target, answer);
    } catch (error) {
      if (otherwise === undefined) throw error;
      await send(otherwise, answer);
    }
  }
  const machine = runMachine(
    request.method === 'INVITE' ? 'invite-server' : 'server',
    isReliable(hop),
    ({ type }) => {
      if (type === 'send' && last !== undefined) void post(last).catch(() => machine.handle({ type: 'broken' }));
      // The ACK of a 2xx with the branch of its INVITE, as some phones send it.
      if (type === 'deliver') onRequest(ack!, hop, { answer: () => undefined });
    },
    onEnd,
  );
  return {
    hop,
    answer(response) {
      last = writeMessage(response);
      machine.handle({ type: 'answer', status: response.status });
    },
    receive(message) {
      const isAck = isRequest(message) && message.method === 'ACK';
      if (isAck) ack = message;
      machine.handle({ type: isAck ? 'ack' : 'request' });
    },
    broken: () => machine.handle({ type: 'broken' }),
    stop: () => machine.stop(),
  };
}

/** The ACK of a refusal belongs to the INVITE's transaction (RFC 3261, section 17.1.1.3). */
function ackOf(invite: Request, refusal: Response): Request {
  const of = (message: Message, name: string): Header[] =>
    headerLines(message, name)
      .slice(0, 1)
      .map((value) => [name, value]);
  const number = identityOf(invite).cseq.number;
  return {
    method: 'ACK',
    uri: invite.uri,
    headers: [
      ...of(invite, 'Via'),
      ['Max-Forwards', '70'],
      ...headerLines(invite, 'Route').map((value): Header => ['Route', value]),
      ...of(invite, 'From'),
      ...of(refusal, 'To'),
      ...of(invite, 'Call-ID'),
      ['CSeq', `${number} ACK`],
    ],
    body: noBody,
  };
}

/** A response to a request: the headers that must be repeated (RFC 3261, section 8.2.6), then those given. */
export function responseTo(
  request: Request,
  { status, reason, toTag, headers = [], body = noBody, from }: ResponseParts & { from: Hop },
): Response {
  const repeated = request.headers.flatMap(([name, value], index): Header[] => {
    if (name === 'Via') return [[name, index === firstVia(request) ? withSource(value, from) : value]];
    if (name === 'To' && toTag !== undefined && !/;\s*tag\s*=/i.test(value)) return [[name, `${value};tag=${toTag}`]];
    return ['From', 'To', 'Call-ID', 'CSeq', 'Record-Route'].includes(name) ? [[name, value]] : [];
  });
  return { status, reason, headers: [...repeated, ...headers], body };
}

export type ResponseParts = {
  status: number;
  reason: string;
  /** Added to To where it has none. */
  toTag?: string;
  headers?: readonly Header[];
  body?: Buffer;
};

const firstVia = (request: Request): number => request.headers.findIndex(([name]) => name === 'Via');

/** Says where the request came from (RFC 3261, section 18.2.1, and RFC 3581), so that the answer finds its way through a NAT. */
function withSource(via: string, { address, port }: Hop): string {
  const end = firstComma(via);
  const [top, rest] = [via.slice(0, end), via.slice(end)];
  // A `received` that came with the request is not ours.
  const own = top.replace(/;\s*received\s*=[^;,]*/gi, '');
  const withPort = own.replace(/;\s*rport\s*(?:=[^;,]*)?(?=;|$)/i, `;rport=${port}`);
  return `${withPort};received=${address}${rest}`;
}

function firstComma(via: string): number {
  const comma = via.replace(/"(?:[^"\\]|\\.)*"/g, (text) => '_'.repeat(text.length)).indexOf(',');
  return comma < 0 ? via.length : comma;
}
