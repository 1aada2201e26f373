import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Client as TypedClient, createClient } from '../../clients/typescript/index.ts';
import { loadSettings } from '../../src/base/config/load.ts';
import { createLog } from '../../src/base/log.ts';
import { memoize } from '../../src/base/memoize.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import type { CarrierDriver } from '../../src/features/calls/carriers/driver.ts';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import { createApiKey, createOrganization } from '../../src/features/organizations/service.ts';
import { firstToken } from '../../src/main/bootstrap.ts';
import { type Running, start } from '../../src/main.ts';

import { settingsWith } from '../../src/main/configuration.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import type { Role } from '../../src/kernel/route.ts';
import { failedCommits, failFirstCommits, failsFirstCommits } from './first-commits.ts';
import { quickFetch } from './quick-fetch.ts';
import { onSqlite, storeSettings } from './store.ts';
import { type AnswerCheck, answerCheck, type OpenApiDocument } from './openapi.ts';

export type TestServerOptions = {
  /** Settings by path, with values read as YAML, like `--set`. */
  settings?: Readonly<Record<string, string>>;
  /** ISO time at which the clock stands until it is advanced. `false`: the machine's clock. */
  testClock?: string | false;
  /** A data directory that is kept when the server stops. Default: a temporary one. */
  data?: string;
  /** Default: the drivers of parley. */
  carrierDrivers?: readonly CarrierDriver[];
  /** Whether the server checks each of its answers against its schema. Default: true; false where its speed is looked at. */
  checkAnswers?: boolean;
  /** Whether stored counts must be right at the end on PostgreSQL. Default: true; false where a test writes rows that it does not count. */
  counts?: boolean;
};

export type Data = Record<string, unknown> & { id: string };
export type Envelope<D> = {
  success: boolean;
  message: string;
  data: D;
  meta: { total: number; limit: number; offset: number; next?: string | null };
  code?: string;
  details?: Array<{ path: string; message: string }>;
};
export type Answer<D = Data> = { status: number; headers: Headers; text: string; body: Envelope<D> };

export type RequestOptions = {
  /** Objects are sent as JSON, forms as multipart, strings and bytes unchanged. The content type is JSON unless `headers` sets one. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Replaces the client's own key; null sends none. */
  key?: string | null;
  /** Sends the client's access token instead of its key. */
  bearer?: boolean;
};

type Send = <D = Data>(path: string, body?: unknown, options?: Omit<RequestOptions, 'body'>) => Promise<Answer<D>>;

/** Requests with the credentials of one organization. Paths are relative to `/api/v1`, or to the root if they begin with `//`. */
export type Requests = {
  apiKey: string;
  /** The typed client that parley ships, with this key and token; fixtures use it. */
  api: TypedClient;
  request<D = Data>(method: string, path: string, options?: RequestOptions): Promise<Answer<D>>;
  get<D = Data>(path: string, options?: RequestOptions): Promise<Answer<D>>;
  post: Send;
  put: Send;
  patch: Send;
  del<D = Data>(path: string, options?: RequestOptions): Promise<Answer<D>>;
};

export type Client = Requests & {
  orgId: string;
  /** An admin's token, valid for the first hour of the server's clock. */
  accessToken: string;
  /** Creates a key of this organization directly, not through the API. */
  keyWithRole(role: Role): Promise<string>;
};

export type TestServer = Client & {
  url: string;
  running: Running;
  document: OpenApiDocument;
  /** Advances the test clock; returns the number of jobs that ran, by kind. */
  advance(ms: number): Promise<Record<string, number>>;
  /** Creates another organization and returns a client for it. */
  newOrganization(): Promise<Client>;
  stop(): Promise<void>;
};

/** A Monday morning in UTC. */
const monday = '2026-03-02T09:00:00Z';

/** Starts parley in this process on a free port of 127.0.0.1. The server and the client each check every answer against its schema. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { testClock = monday, carrierDrivers: drivers = carrierDrivers } = options;
  const settings = {
    'http.port': '0',
    'http.rate_limit.per_second': '0',
    'webhooks.allow_http_loopback': 'true',
    ...(options.data === undefined ? {} : { data: options.data }),
    ...(await storeSettings(options.data)),
    ...options.settings,
  };
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  const sources = { argvSettings, env: {}, readFile: (path: string) => readFileSync(path, 'utf8') };
  const { config } = loadSettings(settingsWith(drivers), sources);
  const running = await start({
    config,
    log: createLog('silent'),
    ephemeral: options.data === undefined,
    ...(testClock === false ? {} : { testClock: Temporal.Instant.from(testClock).epochMilliseconds }),
    checkAnswers: options.checkAnswers ?? true,
    carrierDrivers: drivers,
  });
  if (!onSqlite && failsFirstCommits) await failFirstCommits(running.app.db);
  const { document, check } = described(await documentText(running.url, testClock !== false, drivers));
  const client = await clientOf(running, check, running.orgId, running.apiKey);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    try {
      // The triggers that count are SQL of their own on PostgreSQL; SQLite's are tested in test/db.
      if (!onSqlite && options.counts !== false) assert.deepEqual(await wrongNumbers(running.app.db), []);
    } finally {
      await running.stop();
    }
    if (!onSqlite && failsFirstCommits) assert.ok(failedCommits() > 0);
  };
  return {
    ...client,
    url: running.url,
    running,
    document,
    async advance(ms) {
      const answer = await client.post<{ ran: Record<string, number> }>('/test-clock/advance', { ms });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.ran;
    },
    async newOrganization() {
      const orgId = await transact(running.app.db, installation, (tx) =>
        createOrganization(running.app, tx, 'Another organization'),
      );
      return clientOf(running, check, orgId, null);
    },
    stop: () => (stopped ??= stop()),
  };
}

/** The document of the first server, with and without a test clock, of each set of carriers: building it takes half of a start. */
const documents = new WeakMap<object, Map<boolean, Promise<string>>>();

function documentText(url: string, hasTestClock: boolean, drivers: object): Promise<string> {
  const known = documents.get(drivers) ?? new Map<boolean, Promise<string>>();
  documents.set(drivers, known);
  const text = known.get(hasTestClock) ?? fetch(`${url}/openapi.json`).then((response) => response.text());
  known.set(hasTestClock, text);
  return text;
}

/** The servers of a test file have the same document, whose schemas take up to 0.1 s to compile. */
const described = memoize(4, (text: string): { document: OpenApiDocument; check: AnswerCheck } => {
  const document = JSON.parse(text) as OpenApiDocument;
  return { document, check: answerCheck(document) };
});

async function makeKey({ app }: Running, orgId: string, role: Role): Promise<string> {
  return (await transact(app.db, installation, (tx) => createApiKey(app, tx, orgId, { name: role, role }))).apiKey;
}

async function clientOf(
  running: Running,
  check: AnswerCheck,
  orgId: string,
  existingKey: string | null,
): Promise<Client> {
  const apiKey = existingKey ?? (await makeKey(running, orgId, 'admin'));
  const accessToken = await firstToken(running.app, { orgId });
  return {
    ...requestsTo(running.url, check, { apiKey, accessToken }),
    orgId,
    accessToken,
    keyWithRole: (role) => makeKey(running, orgId, role),
  };
}

/** Requests to a server in any process. */
export function requestsTo(
  url: string,
  check: AnswerCheck,
  { apiKey, accessToken }: { apiKey: string; accessToken?: string },
): Requests {
  const request = async <D>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<D>> => {
    const target = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const key = options.key === undefined && !options.bearer ? apiKey : (options.key ?? null);
    const { body } = options;
    const isForm = body instanceof FormData;
    const isRaw = isForm || typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
    const response = await quickFetch(url + target, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(options.bearer ? { authorization: `Bearer ${accessToken}` } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body), duplex: 'half' as const }),
    });
    const text = await response.text();
    const isJson = /json(;|$)/.test(response.headers.get('content-type') ?? 'json');
    const answer = { status: response.status, headers: response.headers, text, body: parsed<D>(isJson ? text : '') };
    if (target.startsWith('/api/') && method !== 'HEAD') {
      assert.equal(check(method, target, answer.status, isJson ? answer.body : text), undefined);
    }
    return answer;
  };
  const sendWith =
    (method: string): Send =>
    (path, body, options) =>
      request(method, path, { ...options, body });
  return {
    apiKey,
    api: createClient({
      baseUrl: url,
      apiKey,
      retries: 0,
      fetch: quickFetch as typeof fetch,
      ...(accessToken === undefined ? {} : { accessToken }),
    }),
    request,
    get: (path, options) => request('GET', path, options),
    del: (path, options) => request('DELETE', path, options),
    post: sendWith('POST'),
    put: sendWith('PUT'),
    patch: sendWith('PATCH'),
  };
}

const parsed = <D>(text: string): Envelope<D> => (text === '' ? undefined : JSON.parse(text)) as Envelope<D>;

/** The sorted fault paths of a 400; fails for any other answer. */
export function faultPaths(answer: Answer<unknown>): string[] {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.code, 'INVALID_REQUEST');
  return answer.body.details!.map(({ path }) => path).toSorted();
}

/** The data of a successful answer; fails for any other. */
export function dataOf<D>(answer: Answer<D>): D {
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
