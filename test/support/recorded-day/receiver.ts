import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isSignedWith } from '../../../src/base/standard-webhooks.ts';

/** A request to a webhook URL. `number` counts the requests with one event to one path. */
export type Arrival = {
  path: string;
  eventId: string;
  number: number;
  headers: Record<string, string>;
  /** Names of the secrets that the request is signed with. */
  signedWith: string[];
  body: string;
  answer: number;
};

export type Receiver = {
  url: string;
  arrivals: Arrival[];
  /** Secrets by name; requests are checked against each of them. */
  secrets: Map<string, string>;
  /** Paths that answer 200 from now on. */
  healed: Set<string>;
  stop(): void;
};

type Answer = { status: number; headers?: Record<string, string> };

/** How each path answers the n-th request with an event; other paths answer 200. */
const answers: Readonly<Record<string, (number: number) => Answer>> = {
  '/flaky': (number) => ({ status: number < 3 ? 500 : 204 }),
  '/later': (number) => (number < 2 ? { status: 503, headers: { 'retry-after': '45' } } : { status: 200 }),
  '/dead': () => ({ status: 500 }),
  '/never': () => ({ status: 400 }),
  '/gone': () => ({ status: 410 }),
  '/moved': (number) => (number < 2 ? { status: 302, headers: { location: '/ok' } } : { status: 201 }),
};

export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const secrets = new Map<string, string>();
  const healed = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? '';
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const eventId = headers['webhook-id'] ?? '';
      const number = arrivals.filter((other) => other.path === path && other.eventId === eventId).length + 1;
      const answer = healed.has(path) ? { status: 200 } : (answers[path]?.(number) ?? { status: 200 });
      const signed = {
        id: eventId,
        timestamp: headers['webhook-timestamp'] ?? '',
        signature: headers['webhook-signature'] ?? '',
      };
      const signedWith = [...secrets].filter(([, secret]) => isSignedWith(secret, signed, body)).map(([name]) => name);
      arrivals.push({
        path,
        eventId,
        number,
        headers,
        signedWith,
        body: body.toString('utf8'),
        answer: answer.status,
      });
      response.writeHead(answer.status, answer.headers).end(answer.status === 200 ? 'thanks' : undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    secrets,
    healed,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
