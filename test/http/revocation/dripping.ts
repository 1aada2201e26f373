import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';

/** A request as it goes over the wire. */
export type Plan = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
};

/** A request that is sent piece by piece. */
export type Dripping = {
  /** Sends the headers. Resolves when the server has admitted the caller and waits for the body. */
  open(): Promise<void>;
  /** Sends the first half of the body. Resolves when the server has read of it. */
  half(): Promise<void>;
  /** Sends what is left. */
  rest(): void;
  /** The status of the answer. */
  status(): Promise<number>;
};

/** The server's side of requests, by their id. */
const arrivals = new Map<string, PromiseWithResolvers<IncomingMessage>>();

const noteArrival = (message: unknown): void => {
  const { request } = message as { request: IncomingMessage };
  arrivals.get(String(request.headers['x-request-id']))?.resolve(request);
};

/** Sees the requests of a server in this process arrive. Returns a function that stops it. */
export function watchArrivals(): () => void {
  subscribe('http.server.request.start', noteArrival);
  return () => unsubscribe('http.server.request.start', noteArrival);
}

/** The server reads a body only after it has admitted the caller. */
const bodyIsRead = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (request.listenerCount('data') > 0) return resolve();
    request.on('newListener', (event) => event === 'data' && resolve());
  });

export function dripping(url: string, plan: Plan): Dripping {
  const { hostname, port, host } = new URL(url);
  const id = randomUUID();
  const arrival = Promise.withResolvers<IncomingMessage>();
  arrivals.set(id, arrival);
  const socket: Socket = connect(Number(port), hostname);
  const status = answerOf(socket);
  const { method, path, headers, body } = plan;
  const length = body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {};
  const all = { host, connection: 'close', 'x-request-id': id, ...length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  let sent = -1;
  const send = (upTo: number): void => {
    if (sent < 0) socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(body?.subarray(Math.max(sent, 0), upTo) ?? '');
    sent = upTo;
  };
  return {
    async open() {
      send(0);
      await bodyIsRead(await arrival.promise);
    },
    async half() {
      const read = once(await arrival.promise, 'data');
      send(Math.ceil(body!.length / 2));
      await read;
    },
    rest: () => send(body?.length ?? 0),
    async status() {
      arrivals.delete(id);
      return status;
    },
  };
}

async function answerOf(socket: Socket): Promise<number> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))?.[1]);
}
