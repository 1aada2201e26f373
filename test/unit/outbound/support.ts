import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type OutboundOptions,
  type Resolver,
  OutboundError,
  createOutbound,
} from '../../../src/base/outbound/client.ts';

const certificate = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../support/tls', name), 'utf8');
export const ca = certificate('ca.crt');

export type Seen = {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
};

async function listen(t: TestContext, server: net.Server, host: string): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A local web server that records its requests and counts its connections. */
export async function serve(
  t: TestContext,
  answer: (response: http.ServerResponse, request: Seen) => void,
  { host = '127.0.0.1', secure = false } = {},
): Promise<{ port: number; seen: Seen[]; connections: () => number }> {
  const seen: Seen[] = [];
  const handler: http.RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(entry);
    answer(response, entry);
  };
  const server = secure
    ? https.createServer({ cert: certificate('server.crt'), key: certificate('server.key') }, handler)
    : http.createServer(handler);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const port = await listen(t, server, host);
  return { port, seen, connections: () => connections };
}

/** A local TCP server whose test answers with raw bytes. */
export const serveRaw = (t: TestContext, onSocket: (socket: net.Socket) => void): Promise<number> =>
  listen(
    t,
    net.createServer((socket) => {
      socket.on('error', () => undefined); // the client may hang up at any time
      onSocket(socket);
    }),
    '127.0.0.1',
  );

/** A resolver that gives each name's answers in order, repeats the last one, and records each lookup. */
export function fakeResolver(names: Record<string, string[][]>): { resolver: Resolver; lookups: string[] } {
  const lookups: string[] = [];
  const resolver: Resolver = (hostname, _options, callback) => {
    const answers = names[hostname];
    const answer = answers?.[Math.min(lookups.filter((name) => name === hostname).length, answers.length - 1)];
    lookups.push(hostname);
    const addresses = answer?.map((address): LookupAddress => ({ address, family: net.isIP(address) }));
    const error = addresses
      ? null
      : Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    setImmediate(() => callback(error, addresses ?? []));
  };
  return { resolver, lookups };
}

/** Records every address that a socket of this process starts to connect to. */
export function watchConnections(): string[] {
  const attempted: string[] = [];
  const { emit } = net.Socket.prototype;
  net.Socket.prototype.emit = function (this: net.Socket, event: string | symbol, ...args: unknown[]) {
    if (event === 'connectionAttempt') attempted.push(String(args[0]));
    return Reflect.apply(emit, this, [event, ...args]);
  };
  return attempted;
}

/** A client that is closed with the test. */
export function client(t: TestContext, options: OutboundOptions) {
  const outbound = createOutbound(options);
  t.after(() => outbound.close());
  return outbound;
}

/** The OutboundError of a request that must fail. */
export async function failure(request: Promise<unknown>): Promise<OutboundError> {
  const error = await request.then(
    () => new Error('The request succeeded.'),
    (reason: unknown) => reason,
  );
  if (error instanceof OutboundError) return error;
  throw error;
}
