import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../base/http.ts';

/** An endpoint for webhooks on this machine that believes only what is signed. */
export type Receiver = {
  url: string;
  /** The `whsec_…` secret that events must be signed with; until it is set nothing is believed. */
  trust(secret: string): void;
  /** Calls whose event came with a right signature. */
  verifiedCalls: ReadonlySet<string>;
  /** Requests with a wrong signature, an old timestamp or a body that is no event. */
  rejected(): number;
  close(): Promise<void>;
};

export type ReceiverOptions = {
  /** The instant, Unix milliseconds, that timestamps are compared with. */
  now: () => number;
  /** How far from it they may be; Standard Webhooks suggests five minutes. */
  toleranceMs?: number;
};

type Event = { event: string; data: { call_id: string } };

export async function startReceiver({ now, toleranceMs = 300_000 }: ReceiverOptions): Promise<Receiver> {
  const verifiedCalls = new Set<string>();
  let secret: string | undefined;
  let rejected = 0;

  async function receive(request: IncomingMessage): Promise<boolean> {
    const body = await textOf(request);
    const sentAt = Number(request.headers['webhook-timestamp']) * 1000;
    const fresh = Math.abs(now() - sentAt) <= toleranceMs;
    if (secret === undefined || !fresh || !isSigned(secret, request.headers, body)) return false;
    const { event, data } = JSON.parse(body) as Event;
    if (event === 'call.completed') verifiedCalls.add(data.call_id);
    return true;
  }

  const server = createServer((request, response) => {
    const refuse = (): void => {
      rejected += 1;
      response.writeHead(401).end();
    };
    receive(request).then((accepted) => (accepted ? response.writeHead(200).end() : refuse()), refuse);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    trust: (given) => {
      secret = given;
    },
    verifiedCalls,
    rejected: () => rejected,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): one of the signatures is HMAC-SHA256 over `id.timestamp.body`. Written
 * from the receiver's side rather than shared with what signs, so that the two check each other.
 */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(signed, 'utf8').digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
