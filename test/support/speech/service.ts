import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a fake service was sent. */
export type ServiceRequest = {
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The body, if it is JSON. */
  json: Record<string, unknown>;
  /** Resolves when the client goes away before the answer is complete. */
  aborted: Promise<void>;
};

export type FakeService = {
  url: string;
  requests: ServiceRequest[];
  /** The request with this index, which may still have to come. */
  request(index: number): Promise<ServiceRequest>;
  close(): Promise<void>;
};

type Answer = (request: ServiceRequest, response: ServerResponse, index: number) => void | Promise<void>;

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Starts an HTTP service on 127.0.0.1 that keeps what it was asked. */
export async function startService(path: string, answer: Answer): Promise<FakeService> {
  const requests: ServiceRequest[] = [];
  let waiting: Array<() => void> = [];

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => (response.writableFinished ? undefined : resolve()));
    });
    const request = { headers: message.headers, body, json: jsonOf(body), aborted };
    requests.push(request);
    const waiters = waiting;
    waiting = [];
    for (const wake of waiters) wake();
    await answer(request, response, requests.length - 1);
  }

  const server = http.createServer((message, response) => void serve(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    async request(index) {
      while (requests.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
      return requests[index]!;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export const answerJson = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
