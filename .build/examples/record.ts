import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { createLog } from '../../src/base/log.ts';
import { createApi } from '../../src/cli/demo/api.ts';
import { activate, seed } from '../../src/cli/demo/seed.ts';
import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';
import { describedRoutes } from '../../src/http/routes.ts';
import { type Running, start } from '../../src/main.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { tidy } from './tidy.ts';
import { playScenario } from './scenario.ts';

const startsAt = Temporal.Instant.from('2026-03-02T09:00:00Z').epochMilliseconds;

/** Entries of the demo's campaign: enough for every outcome. */
const contacts = 12;

/** The parts of a request by the names of the operation's parameters. */
export type Asked = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Sends the access token, for operations that take no key. */
  bearer?: boolean;
};

export type Answered = { data: Record<string, unknown> & { id: string } } & Record<string, unknown>;

/** Sends the request of an operation, keeps its answer as the example, and returns it. */
export type Play = (operationId: string, asked?: Asked) => Promise<Answered>;

const routes = new Map(describedRoutes({ testClock: true }).map((route) => [route.operationId, route]));

function playerOf({ url, apiKey, accessToken }: Running, recorded: Record<string, unknown>): Play {
  return async (operationId, asked = {}) => {
    const route = routes.get(operationId);
    if (!route) throw new Error(`there is no operation ${operationId}`);
    const { params = {}, query, body, bearer } = asked;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const isText = typeof body === 'string';
    const response = await fetch(`${url}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
      method: route.method,
      headers: {
        ...(bearer ? { authorization: `Bearer ${accessToken}` } : { 'x-api-key': apiKey! }),
        ...(body === undefined ? {} : { 'content-type': isText ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${operationId} was answered with ${response.status}: ${text}`);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer: unknown = isJson ? JSON.parse(text) : text;
    const { bearer: _, ...request } = asked;
    recorded[operationId] ??= { ...request, answer };
    return answer as Answered;
  };
}

/** Starts an ephemeral server with the demo's data, plays the scenario and returns requests and answers by operation. */
export async function recordExamples(): Promise<RecordedExamples> {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  const hook = `http://127.0.0.1:${port}/hooks/parley`;
  const settings = {
    'http.port': '0',
    'webhooks.allow_http_loopback': 'true',
    'numbers.inventory': '[{"phone": "+4930901822"}]',
  };
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  const { config } = loadConfig({ argvSettings, env: {}, readFile: (path) => readFileSync(path, 'utf8') });
  const running = await start({ config, log: createLog('silent'), ephemeral: true, testClock: startsAt, seed: 1 });
  try {
    const api = createApi(running.url, running.apiKey!);
    const seeded = await seed(api, { webhookUrl: hook, contacts, nowMs: startsAt });
    await activate(api, seeded);
    const recorded: Record<string, unknown> = {};
    await playScenario(playerOf(running, recorded), { ...seeded, orgId: running.orgId });
    return tidy(recorded, { [running.url]: 'http://127.0.0.1:8080', [`127.0.0.1:${port}`]: '127.0.0.1:3000' });
  } finally {
    await running.stop();
    receiver.close();
    receiver.closeAllConnections();
  }
}
