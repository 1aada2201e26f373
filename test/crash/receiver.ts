import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '../unit/webhooks/verify.ts';
import type { Random } from './random.ts';
import type { Tally } from './waiting.ts';

/** All requests with one event to one URL. */
export type Receipt = {
  path: string;
  eventId: string;
  callId: string;
  status: string;
  bodies: Set<string>;
  times: number;
  taken: boolean;
};

/** A webhook endpoint that outlives the server. It fails 6 % of the requests until `behave` is called. */
export type Receiver = {
  url: string;
  /** By path and event id. */
  receipts: Map<string, Receipt>;
  /** Requests that a correct sender never makes. */
  faults: string[];
  /** Number of calls with at least one event. */
  calls(): number;
  trust(secret: string): void;
  behave(): void;
  close(): void;
};

export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

type Payload = { data: { call_id: string; status: string } };

export async function createReceiver(random: Random, work: Tally): Promise<Receiver> {
  const receipts = new Map<string, Receipt>();
  const calls = new Set<string>();
  const faults: string[] = [];
  let secret = '';
  let failing = true;

  async function take(request: IncomingMessage): Promise<Receipt> {
    const body = await readBody(request);
    const path = request.url ?? '';
    const eventId = String(request.headers['webhook-id']);
    if (!(await verifies(secret, request.headers, body))) faults.push(`${path} ${eventId}: the signature is wrong`);
    const { call_id: callId, status } = (JSON.parse(body) as Payload).data;
    const key = `${path} ${eventId}`;
    const receipt = receipts.get(key) ?? { path, eventId, callId, status, bodies: new Set(), times: 0, taken: false };
    receipts.set(key, receipt);
    receipt.bodies.add(body);
    receipt.times += 1;
    calls.add(callId);
    return receipt;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receipt = await take(request);
    const fails = failing && random.chance(0.06);
    if (fails && random.chance(0.3)) response.destroy();
    else response.writeHead(fails ? 500 : 200).end();
    receipt.taken ||= !fails;
    work.add();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // the sender died while it sent the body
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receipts,
    faults,
    calls: () => calls.size,
    trust: (shared) => {
      secret = shared;
    },
    behave: () => {
      failing = false;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
