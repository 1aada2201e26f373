import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../base/http.ts';

/** A local webhook endpoint that accepts only signed requests. */
export type Receiver = {
  url: string;
  /** Sets the `whsec_…` secret that signs the events. Until then every request is rejected. */
  trust(secret: string): void;
  /** Ids of calls whose event arrived with a valid signature. */
  verifiedCalls: ReadonlySet<string>;
  /** Number of requests with a wrong signature, a stale timestamp or a body that is not an event. */
  rejected(): number;
  close(): Promise<void>;
};

export type ReceiverOptions = {
  /** The current time in Unix milliseconds. */
  now: () => number;
};

type Event = { event: string; data: { call_id: string } };

/** How far a request's timestamp may be from now, as Standard Webhooks suggests. */
const toleranceMs = 300_000;

export async function startReceiver({ now }: ReceiverOptions): Promise<Receiver> {
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
    trust: (signingSecret) => {
      secret = signingSecret;
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
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): at least one of the signatures must be the HMAC-SHA256 of
 * `id.timestamp.body`. It shares no code with the sender, so that the demo would notice a mistake in either.
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
