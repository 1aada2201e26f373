import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, dataOf, startTestServer, type TestServer, type TestServerOptions } from './server.ts';

export type Source = {
  source_id: string;
  source_type: string;
  source_name: string;
  source_url: string | null;
  source_status: string;
  error: string | null;
  pages_waiting: number;
  created_timestamp: number;
  updated_timestamp: number;
};
export type UrlSource = {
  source_id: string;
  url: string;
  pages_found: number;
  pages_waiting: number;
  status: string;
  error: string | null;
  updated_timestamp: number;
};
export type Base = {
  knowledge_base_id: string;
  knowledge_base_name: string;
  status: string;
  enable_auto_refresh: boolean;
  knowledge_base_sources: Source[];
  source_count: number;
  created_timestamp: number;
  last_updated_timestamp: number;
  url_sources: UrlSource[];
  retrieval: string;
  pending_embeddings: number;
};
export type Added = { knowledge_base: Base; url_sources: UrlSource[] };
export type Doc = {
  doc_id: string;
  kb_id: string;
  org_id: string;
  text: string | null;
  url: string | null;
  status: string;
  error: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
};
export type Passage = {
  text: string;
  highlights: Array<[start: number, end: number]>;
  score: number;
  source_id: string;
  source_name: string;
  doc_id: string;
  url: string | null;
  heading: string | null;
  page: number | null;
};

/** Starts a server whose outbound guard also allows 127.0.0.1, where the test sites run. */
export const startKnowledgeServer = (options: TestServerOptions = {}): Promise<TestServer> =>
  startTestServer({
    ...options,
    settings: { 'outbound.allow_networks': '["127.0.0.1/32"]', ...options.settings },
  });

export const aBase = async (client: Client, over: object = {}): Promise<string> =>
  dataOf(await client.post<Base>('/rag/knowledgebases', { name: 'Help centre', ...over })).knowledge_base_id;

export const theBase = async (client: Client, baseId: string): Promise<Base> =>
  dataOf(await client.get<Base>(`/rag/knowledge-base/${baseId}`));

export const addSources = async (client: Client, baseId: string, body: unknown): Promise<Added> =>
  dataOf(await client.post<Added>(`/rag/knowledge-base/${baseId}/add-sources`, body));

export const addFile = (client: Client, baseId: string, bytes: Uint8Array | string, name: string, type?: string) => {
  const form = new FormData();
  form.append('file', new File([bytes as string], name, type === undefined ? {} : { type }));
  return client.post<Added>(`/rag/knowledge-base/${baseId}/add-sources`, form);
};

/** Waits until all due jobs are done; returns the base. */
export async function settled(server: TestServer, baseId: string, client: Client = server): Promise<Base> {
  await server.running.runner.settled();
  return theBase(client, baseId);
}

export const documentsOf = async (client: Client, baseId: string): Promise<Doc[]> =>
  dataOf(await client.get<Doc[]>(`/rag/documents?kb_id=${baseId}`));

export const ask = async (client: Client, baseId: string, query: string, limit?: number): Promise<Passage[]> =>
  dataOf(
    await client.post<Passage[]>(`/rag/knowledge-base/${baseId}/query`, {
      query,
      ...(limit === undefined ? {} : { limit }),
    }),
  );

type RequestHandler = (request: http.IncomingMessage, response: http.ServerResponse) => void | Promise<void>;
export type Page =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | RequestHandler;

export type Site = {
  /** `http://127.0.0.1:port` */
  origin: string;
  /** The pages by path with query; any other path is answered with 404. A test may change them during a crawl. */
  pages: Record<string, Page>;
  /** Requested paths with query, in order. */
  asked: string[];
  requests: http.IncomingMessage[];
  /** The highest number of concurrent requests so far. */
  maxConcurrent(): number;
  stop(): Promise<void>;
};

/** Starts a web site on 127.0.0.1. A page given as a string is HTML. */
export async function aSite(pages: Record<string, Page> = {}): Promise<Site> {
  const asked: string[] = [];
  const requests: http.IncomingMessage[] = [];
  let [open, max] = [0, 0];
  const answer: RequestHandler = async (request, response) => {
    const page = site.pages[request.url!];
    if (typeof page === 'function') return page(request, response);
    const given =
      typeof page === 'object' ? page : page === undefined ? { status: 404, body: 'Nothing' } : { body: page };
    const { status = 200, headers = {}, body = '' } = given;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    // Gives concurrent requests time to arrive, so that `maxConcurrent` sees them.
    await sleep(5);
    response.end(body);
  };
  const server = http.createServer((request, response) => {
    asked.push(request.url!);
    requests.push(request);
    max = Math.max(max, ++open);
    response.once('close', () => (open -= 1));
    void Promise.resolve(answer(request, response)).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: Site = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    asked,
    requests,
    maxConcurrent: () => max,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}

/** HTML of a page with a title, a text and links. */
export const aPage = (title: string, text: string, links: readonly string[] = [], head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text}</p>${links
    .map((link) => `<p><a href="${link}">to ${link}</a></p>`)
    .join('')}</main></body></html>`;

export function assertComplete(base: Base): void {
  assert.equal(base.status, 'complete', JSON.stringify(base, null, 1));
}

export type CrawlTest = { server: TestServer; site(pages?: Record<string, Page>): Promise<Site> };

/**
 * Starts a server for all tests of a file, and sites on demand; each test uses a site of its own. Stops all of them at
 * the end.
 */
export async function startCrawlTest(): Promise<CrawlTest> {
  const server = await startKnowledgeServer();
  const sites: Site[] = [];
  after(async () => {
    await server.stop();
    await Promise.all(sites.map(({ stop }) => stop()));
  });
  return {
    server,
    async site(pages) {
      const made = await aSite(pages);
      sites.push(made);
      return made;
    },
  };
}
