import { readFileSync } from 'node:fs';
import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import { createLog } from '../../src/base/log.ts';
import { createApi } from '../../src/cli/demo/api.ts';
import { activate, seed } from '../../src/cli/demo/seed.ts';
import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';
import { describedRoutes, plainEndpoints } from '../../src/http/routes.ts';
import { type Running, start } from '../../src/main.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { playOutside } from './outside.ts';
import { playScenario } from './scenario.ts';
import { startServices } from './services.ts';
import { tidy } from './tidy.ts';

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
  /** Sends the request as a page of the server does: with the cookie of the last log-in, and without a key. */
  page?: boolean;
  /** Signs the request as a voice runtime does. */
  signed?: boolean;
};

export type Answered = { data: Record<string, unknown> & { id: string } } & Record<string, unknown>;

/** Sends the request of an operation, keeps its answer as the example, and returns it. */
export type Play = (operationId: string, asked?: Asked) => Promise<Answered>;

const routes = new Map(
  [...describedRoutes({ testClock: true }), ...plainEndpoints].map((route) => [route.operationId, route]),
);

const runtimeSecret = `whsec_${Buffer.from('the secret of the voice runtime!').toString('base64')}`;

function credentialsOf({ bearer, page, signed, body }: Asked, { apiKey, accessToken, app }: Running, cookie: string) {
  if (bearer) return { authorization: `Bearer ${accessToken}` };
  if (page) return { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0', ...(cookie !== '' && { cookie }) };
  const timestampSec = Math.floor(app.clock.now() / 1000);
  if (signed) return signatureHeaders([runtimeSecret], { id: 'evt_1', timestampSec, body: JSON.stringify(body) });
  return { 'x-api-key': apiKey! };
}

function playerOf(running: Running, recorded: Record<string, unknown>): Play {
  const { url } = running;
  let cookie = '';
  return async (operationId, asked = {}) => {
    const route = routes.get(operationId);
    if (!route) throw new Error(`there is no operation ${operationId}`);
    const { params = {}, query, body } = asked;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const isText = typeof body === 'string';
    const response = await fetch(`${url}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
      method: route.method,
      headers: {
        ...credentialsOf(asked, running, cookie),
        ...(body === undefined ? {} : { 'content-type': isText ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${operationId} was answered with ${response.status}: ${text}`);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer: unknown = isJson ? JSON.parse(text) : text;
    const { bearer: _bearer, page: _page, signed: _signed, ...request } = asked;
    recorded[operationId] ??= { ...request, answer };
    return answer as Answered;
  };
}

/** Starts an ephemeral server with the demo's data, plays the scenario and returns requests and answers by operation. */
export async function recordExamples(): Promise<RecordedExamples> {
  const services = await startServices();
  const { receiver, site, calendar } = services;
  const settings = {
    'http.port': '0',
    'webhooks.allow_http_loopback': 'true',
    'outbound.allow_networks': '["127.0.0.1/32"]',
    'numbers.inventory': '[{"phone": "+4930901822"}]',
    'calendar.base_url': calendar.url,
    'carrier.http.url': `${receiver.url}/calls`,
    'carrier.http.secret': runtimeSecret,
  };
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  const { config } = loadConfig({ argvSettings, env: {}, readFile: (path) => readFileSync(path, 'utf8') });
  const running = await start({ config, log: createLog('silent'), ephemeral: true, testClock: startsAt, seed: 1 });
  try {
    const api = createApi(running.url, running.apiKey!);
    const seeded = await seed(api, { webhookUrl: `${receiver.url}/hooks/parley`, contacts, nowMs: startsAt });
    await activate(api, seeded);
    const recorded: Record<string, unknown> = {};
    const play = playerOf(running, recorded);
    const demo = { ...seeded, orgId: running.orgId };
    await playScenario(play, demo);
    await playOutside(play, demo, services);
    return tidy(recorded, {
      [running.url]: 'http://127.0.0.1:8080',
      [`127.0.0.1:${receiver.port}`]: '127.0.0.1:3000',
      [site.url]: 'https://www.example.com',
    });
  } finally {
    await running.stop();
    await services.close();
  }
}
