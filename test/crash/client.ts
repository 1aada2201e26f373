import assert from 'node:assert/strict';
import { apiKey, type Served } from './server.ts';

export type Answer<D = unknown> = { status: number; code: string | null; data: D; total: number };

/** The outcome of one request: an answer, or `unknown` because the server died first or does not know itself. */
export type Fate<D = unknown> = Answer<D> | 'unknown';

export type Client = {
  /** Sends a request once, to the next server process that is ready. `key` is its Idempotency-Key. */
  once<D>(method: string, path: string, body?: unknown, key?: string): Promise<Fate<D>>;
  /** Sends a request repeatedly until it is answered. The answer must be 200, and the request must be safe to repeat. */
  ask<D>(method: string, path: string, body?: unknown): Promise<D>;
  /** All items of a paged list. */
  all<D>(path: string): Promise<D[]>;
  /** The kinds of jobs in the queue, waiting or running. */
  queued(): Promise<string[]>;
};

type Envelope<D> = { data: D; message: string; code?: string; meta?: { total: number } };

const pageSize = 500;

export function createClient(server: Pick<Served, 'address'>): Client {
  async function once<D>(method: string, path: string, body?: unknown, key?: string): Promise<Fate<D>> {
    const { url, gone } = await server.address();
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const envelope = (await response.json()) as Envelope<D>;
      const { data, code = null, meta, message } = envelope;
      if (response.status === 503 && /may have been made/.test(message)) return 'unknown';
      return { status: response.status, code, data, total: meta?.total ?? 0 };
    } catch {
      await gone; // only the death of the server may cut off a request
      return 'unknown';
    }
  }

  async function answered<D>(method: string, path: string, body?: unknown): Promise<Answer<D>> {
    for (;;) {
      const fate = await once<D>(method, path, body);
      if (fate === 'unknown') continue;
      assert.equal(fate.status, 200, `${method} ${path}: ${JSON.stringify(fate)}`);
      return fate;
    }
  }

  return {
    once,
    ask: async <D>(method: string, path: string, body?: unknown) => (await answered<D>(method, path, body)).data,
    async queued() {
      const { url } = await server.address();
      const text = await (await fetch(`${url}/metrics`, { headers: { 'x-api-key': apiKey } })).text();
      return [...text.matchAll(/^parley_jobs_waiting\{kind="(.+)"\} \d+$/gm)].map(([, kind]) => kind!);
    },
    async all<D>(path: string) {
      const items: D[] = [];
      for (;;) {
        const query = `${path.includes('?') ? '&' : '?'}limit=${pageSize}&offset=${items.length}`;
        const { data, total } = await answered<D[]>('GET', path + query);
        items.push(...data);
        if (data.length === 0 || items.length >= total) return items;
      }
    },
  };
}
