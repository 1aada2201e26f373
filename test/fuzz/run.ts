import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Pool } from 'undici';
import { formats } from '../../src/http/input/formats.ts';
import { watchdogOf } from '../../src/kernel/watchdog.ts';
import { firstToken } from '../../src/main/bootstrap.ts';
import { type Random, randomOf } from '../crash/random.ts';
import { aKey, anEventType, type CalendarSetup, startCalendar } from '../support/calendar.ts';
import { answerCheck } from '../support/openapi.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { aSession, ownPage } from '../support/sessions.ts';
import { dataOf, type TestServer } from '../support/server.ts';
import { createPools, collectIds, type Pools } from './pools.ts';
import { aRequest, carrierSecret, type Credentials, type Operation, operationsOf, type Request } from './requests.ts';
import type { Schema } from '../../src/http/openapi/schema.ts';

export type Outcome = {
  requests: number;
  /** Number of answers by status. */
  statuses: Record<number, number>;
  /** Operations that never succeeded. */
  neverDone: string[];
  /** Operations and jobs that blocked the main thread, with the number of times. */
  blocked: Array<readonly [string, number]>;
};

/** The last digits of half of these numbers select an outcome of the simulated carrier. */
const phones = Array.from(
  { length: 60 },
  (_, index) => `+493090${String(1800 + (index >> 1))}${String(index % 20).padStart(2, '0')}`,
);

/** Operations that are slow, do much work at once, or delete what later requests need; they are sent less often. */
const rareOperations =
  /^(?:logIn|createSession|changePassword|setUp|importContacts|exportContacts|advanceTestClock|revokeApiKey|rotateApiKey|delete\w+|disconnectCalendar|releasePhoneNumber)$/;

/**
 * Sends random requests (valid, slightly broken and hostile ones), derived from a seed, to a server of its own. Fails on an answer that
 * the OpenAPI document does not describe, on any 5xx, and if a request that the document forbids succeeds. An even seed uses the
 * carrier `http`, with requests of its voice runtime; an odd one the simulated carrier.
 */
export async function fuzz({ seed, requests }: { seed: number; requests: number }): Promise<Outcome> {
  const hooks = await startSink(200);
  const runtime = await startSink(202);
  const driver = seed % 2 === 0 ? 'http' : 'simulated';
  const setting = await startCalendar({
    settings: {
      'numbers.inventory': JSON.stringify(phones.slice(0, 10).map((phone) => ({ phone }))),
      'carrier.driver': driver,
      ...(driver === 'http' ? { 'carrier.http.url': runtime.url, 'carrier.http.secret': carrierSecret } : {}),
    },
  });
  const pool = new Pool(setting.server.url, { connections: 1 });
  try {
    const random = randomOf(seed);
    const pools = createPools(random, await prepareWorld(setting, hooks.url));
    await createResources(setting.server, pools);
    return await run({ random, pools, server: setting.server, pool, seed, requests });
  } finally {
    await pool.close();
    await setting.stop();
    await hooks.close();
    await runtime.close();
  }
}

/** A server on 127.0.0.1 that answers every request with the same status. */
async function startSink(status: number) {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function prepareWorld({ server, fake }: CalendarSetup, hookUrl: string) {
  type Model = { llmModel: string; voices: Array<{ id: string }> };
  const { app } = server.running;
  const models = dataOf(await server.get<Model[]>('/available-llm-models/with-voices'));
  const eventTypes = [anEventType({ id: 1000 }), anEventType({ id: 1001 })];
  return {
    orgId: server.orgId,
    phones,
    hookUrls: ['a', 'b', 'c', 'd'].map((name) => hookUrl + name),
    providerKeys: [aKey(fake, { eventTypes }), 'cal_unknown'],
    catalog: models.flatMap(({ llmModel, voices }) => voices.map(({ id }) => ({ model: llmModel, voiceId: id }))),
    now: () => app.clock.now(),
    freeSlot(): string {
      const slot = new Date(app.clock.now() + 3_600_000).toISOString();
      for (const { free } of eventTypes) free.splice(0, free.length, slot);
      return slot;
    },
  };
}

/** Creates a few resources of every kind, so that the first requests find existing ones. */
async function createResources(server: TestServer, pools: Pools): Promise<void> {
  for (const hookUrl of pools.hookUrls) {
    const agent = await anAgent(server, { webhook_url: hookUrl });
    const number = await aNumber(server);
    const contact = await aContact(server);
    const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
    dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
    const note = dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: 'Called back.' }));
    dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone(), phone_number_id: number.id }));
    for (const [kind, { id }] of Object.entries({ agent, contact, campaign, note, 'phone number': number })) {
      pools.remember(kind, id);
    }
    await server.advance(60_000);
  }
  for (const [operationId, path] of [
    ['listPhoneNumbers', '/phone-numbers'],
    ['listCalls', '/calls'],
    ['listWebhookEndpoints', '/webhooks/endpoints'],
    ['listWebhookDeliveries', '/webhooks/deliveries'],
  ] as const) {
    collectIds(pools, operationId, dataOf(await server.get(path)));
  }
}

type Run = { random: Random; pools: Pools; server: TestServer; pool: Pool; seed: number; requests: number };

async function run({ random, pools, server, pool, seed, requests }: Run): Promise<Outcome> {
  const operations = operationsOf(server.document);
  const check = answerChecker(server);
  const done = new Set<string>();
  const statuses: Record<number, number> = {};
  const resolve = (schema: Schema): Schema => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
    return name === undefined
      ? schema
      : (server.document['components'] as { schemas: Record<string, Schema> }).schemas[name]!;
  };
  let credentials = await freshCredentials(server);
  for (let index = 0; index < requests; index++) {
    // Requests may have revoked the keys, and tokens expire.
    if (index % 250 === 249) credentials = await freshCredentials(server);
    const operation = pickOperation(random, operations);
    const request = aRequest({ random, pools, resolve }, operation, credentials);
    const answer = await send(pool, request);
    const problem = check(request, answer);
    if (problem !== undefined) throw new Error(report({ seed, index, request, answer, problem }));
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status === 200 && request.method === operation.method) {
      done.add(operation.operationId);
      const { data, meta } = answer.body as { data?: unknown; meta?: { next?: string | null } };
      collectIds(pools, operation.operationId, data, request.path);
      if (typeof meta?.next === 'string') pools.remember('cursor', meta.next);
    }
    if (answer.status === 401 && request.isMeantValid) credentials = await freshCredentials(server);
  }
  const neverDone = operations.map(({ operationId }) => operationId).filter((id) => !done.has(id));
  const blocked = [...watchdogOf(server.running.app).blocked()].map(({ name, count }) => [name, count] as const);
  return { requests, statuses, neverDone, blocked };
}

function pickOperation(random: Random, operations: readonly Operation[]): Operation {
  const operation = random.pick(operations);
  return rareOperations.test(operation.operationId) && random.chance(0.9)
    ? pickOperation(random, operations)
    : operation;
}

async function freshCredentials(server: TestServer): Promise<Credentials> {
  const token = await firstToken(server.running.app, server);
  const [admin, member, viewer] = await Promise.all([
    server.keyWithRole('admin'),
    server.keyWithRole('member'),
    server.keyWithRole('viewer'),
  ]);
  const { cookie, person } = await aSession(server, 'admin');
  const session = { headers: { cookie, ...ownPage }, ...person.credentials };
  return { admin, member, viewer, token, session };
}

type Answer = { status: number; text: string; body: unknown };

async function send(pool: Pool, { method, path, headers, body }: Request): Promise<Answer> {
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const type = String(answer.headers['content-type']);
  if (type.startsWith('text/event-stream')) return { status: answer.statusCode, ...(await beginningOf(answer.body)) };
  const text = await answer.body.text();
  const isJson = /^application\/json(?:;|$)/.test(type);
  return { status: answer.statusCode, text, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** The first part of a stream that does not end by itself. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<Omit<Answer, 'status'>> {
  for await (const chunk of body) return { text: chunk.toString(), body: chunk.toString() };
  return { text: '', body: '' };
}

/** Returns a function that checks an answer against the OpenAPI document and says what is wrong. */
function answerChecker({ document }: TestServer): (request: Request, answer: Answer) => string | undefined {
  const check = answerCheck(document);
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);
  ajv.addSchema(document, 'doc');
  const bodyValidators = new Map<string, ReturnType<typeof ajv.compile>>();
  const isAllowed = ({ operation, value }: Request): boolean => {
    if (!value) return true;
    const { operationId, requestBody } = operation;
    const schema = requestBody!.content['application/json']!.schema;
    const validate =
      bodyValidators.get(operationId) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object);
    bodyValidators.set(operationId, validate);
    return validate(JSON.parse(JSON.stringify(value.json))) === true;
  };
  return (request, { status, body }) => {
    if (status >= 500) return `the server answered ${status}`;
    if (status === 200 && request.method === request.operation.method && !isAllowed(request))
      return 'the request succeeded although the document forbids it';
    // A request line that is too long is refused before routing, so no operation describes the 431.
    const path = status === 431 ? '/' : request.path;
    return check(request.method, path, status, body)?.replace(request.path, request.operation.path);
  };
}

type Failure = { seed: number; index: number; request: Request; answer: Answer; problem: string };

function report({ seed, index, request, answer, problem }: Failure): string {
  const { method, path, headers, body } = request;
  return [
    `${problem}; replay with PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_REQUESTS=${index + 1} npm run test:fuzz`,
    `${method} ${path.slice(0, 500)}`,
    JSON.stringify(headers).slice(0, 1000),
    String(body).slice(0, 3000),
    `${answer.status} ${answer.text.slice(0, 2000)}`,
  ].join('\n');
}
