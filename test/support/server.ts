import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Client as TypedClient, createClient } from '../../clients/typescript/index.ts';
import { loadSettings } from '../../src/base/config/load.ts';
import { createLog } from '../../src/base/log.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import type { CarrierDriver } from '../../src/features/calls/carriers/driver.ts';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import { createApiKey, createOrganization } from '../../src/features/organizations/service.ts';
import { signToken } from '../../src/features/organizations/tokens.ts';
import { type Running, start } from '../../src/main.ts';
import { settingsWith } from '../../src/main/configuration.ts';
import type { Role } from '../../src/kernel/route.ts';
import { type AnswerCheck, answerCheck, type OpenApiDocument } from './openapi.ts';

export type TestServerOptions = {
  /** By path, read as YAML, like `--set`. */
  settings?: Readonly<Record<string, string>>;
  /** ISO; the clock stands there until advanced. `false`: the machine's clock. */
  testClock?: string | false;
  /** A data directory that outlives the server; a temporary one otherwise. */
  data?: string;
  /** Instead of the drivers that parley has. */
  carrierDrivers?: readonly CarrierDriver[];
};

export type Data = Record<string, unknown> & { id: string };
export type Envelope<D> = {
  success: boolean;
  message: string;
  data: D;
  meta: { total: number; limit: number; offset: number };
  code?: string;
  details?: Array<{ path: string; message: string }>;
};
export type Answer<D = Data> = { status: number; headers: Headers; text: string; body: Envelope<D> };

export type RequestOptions = {
  /** An object is sent as JSON, a form as one, a string or bytes as they are: application/json unless `headers` says otherwise. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Instead of the client's own; null: none. */
  key?: string | null;
  /** With the client's access token instead of its key. */
  bearer?: boolean;
};

type Send = <D = Data>(path: string, body?: unknown, options?: Omit<RequestOptions, 'body'>) => Promise<Answer<D>>;

/** A caller of one organization. Paths are below `/api/v1` unless they begin with `//`, which stands for the root. */
export type Client = {
  orgId: string;
  apiKey: string;
  /** An admin's; valid for the first hour of the server's clock. */
  accessToken: string;
  /** The typed client that parley ships, with this key and token: what a test asks for on its way goes through it. */
  api: TypedClient;
  request<D = Data>(method: string, path: string, options?: RequestOptions): Promise<Answer<D>>;
  get<D = Data>(path: string, options?: RequestOptions): Promise<Answer<D>>;
  post: Send;
  put: Send;
  patch: Send;
  del<D = Data>(path: string, options?: RequestOptions): Promise<Answer<D>>;
  /** A key of this organization, made by the service itself. */
  keyWithRole(role: Role): Promise<string>;
};

export type TestServer = Client & {
  url: string;
  running: Running;
  document: OpenApiDocument;
  /** Turns the test clock forward; answers what ran. */
  advance(ms: number): Promise<Record<string, number>>;
  /** A client of another organization on the same server. */
  newOrganization(): Promise<Client>;
  stop(): Promise<void>;
};

/** Monday morning in UTC. */
const monday = '2026-03-02T09:00:00Z';

/** The whole program in this process on a free port of 127.0.0.1. Every answer is checked against its schema, twice over. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { testClock = monday, carrierDrivers: drivers = carrierDrivers } = options;
  const settings = {
    'http.port': '0',
    'http.rate_limit.per_second': '0',
    'webhooks.allow_http_loopback': 'true',
    ...(options.data === undefined ? {} : { data: options.data }),
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
    checkAnswers: true,
    carrierDrivers: drivers,
  });
  const document = (await (await fetch(`${running.url}/openapi.json`)).json()) as OpenApiDocument;
  const check = answerCheck(document);
  const client = await clientOf(running, check, running.orgId, running.apiKey);
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
    stop: () => running.stop(),
  };
}

async function makeKey({ app }: Running, orgId: string, role: Role): Promise<string> {
  return (await transact(app.db, installation, (tx) => createApiKey(app, tx, orgId, { name: role, role }))).apiKey;
}

async function clientOf(running: Running, check: AnswerCheck, orgId: string, knownKey: string | null): Promise<Client> {
  const apiKey = knownKey ?? (await makeKey(running, orgId, 'admin'));
  const { token: accessToken } = await signToken(running.app, { subject: 'test', orgId, role: 'admin' });
  const request = async <D>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<D>> => {
    const where = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const key = options.key === undefined && !options.bearer ? apiKey : (options.key ?? null);
    const { body } = options;
    const isForm = body instanceof FormData;
    const asIs = isForm || typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
    const response = await fetch(running.url + where, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(options.bearer ? { authorization: `Bearer ${accessToken}` } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: asIs ? (body as string) : JSON.stringify(body), duplex: 'half' }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? 'json');
    const answer = { status: response.status, headers: response.headers, text, body: parsed<D>(isJson ? text : '') };
    if (where.startsWith('/api/') && method !== 'HEAD') {
      assert.equal(check(method, where, answer.status, isJson ? answer.body : text), undefined);
    }
    return answer;
  };
  const sender =
    (method: string): Send =>
    (path, body, options) =>
      request(method, path, { ...options, body });
  return {
    orgId,
    apiKey,
    accessToken,
    api: createClient({ baseUrl: running.url, apiKey, accessToken }),
    request,
    get: (path, options) => request('GET', path, options),
    del: (path, options) => request('DELETE', path, options),
    post: sender('POST'),
    put: sender('PUT'),
    patch: sender('PATCH'),
    keyWithRole: (role) => makeKey(running, orgId, role),
  };
}

const parsed = <D>(text: string): Envelope<D> => (text === '' ? undefined : JSON.parse(text)) as Envelope<D>;

/** The paths that the faults of a 400 name, sorted; fails for any other answer. */
export function faultPaths(answer: Answer<unknown>): string[] {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.code, 'INVALID_REQUEST');
  return answer.body.details!.map(({ path }) => path).toSorted();
}

/** Fails unless the answer is a success; gives its data. */
export function dataOf<D>(answer: Answer<D>): D {
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
