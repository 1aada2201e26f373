import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Pool } from 'undici';
import { installation, transact } from '../../src/db/transaction.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/users.ts';
import { formats } from '../../src/http/input/formats.ts';
import { signToken } from '../../src/features/organizations/tokens.ts';
import { type Random, randomOf } from '../crash/random.ts';
import { aKey, anEventType, type CalendarSetup, startCalendar } from '../support/calendar.ts';
import { answerCheck } from '../support/openapi.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, type TestServer } from '../support/server.ts';
import { createPools, harvest, type Pools } from './pools.ts';
import { aRequest, carrierSecret, type Credentials, type Operation, operationsOf, type Request } from './requests.ts';
import type { Schema } from '../../src/http/openapi/schema.ts';

export type Outcome = {
  requests: number;
  /** How many answers had a status. */
  statuses: Record<number, number>;
  /** Operations that never answered 200. */
  neverDone: string[];
};

/** Half of the phones choose an outcome of the simulated carrier. */
const phones = Array.from(
  { length: 60 },
  (_, index) => `+493090${String(1800 + (index >> 1))}${String(index % 20).padStart(2, '0')}`,
);

/** What takes a moment on purpose, is many requests in one, or leaves later requests with nothing to meet. */
const seldom =
  /^(?:logIn|importContacts|exportContacts|advanceTestClock|revokeApiKey|rotateApiKey|delete\w+|disconnectCalendar|releasePhoneNumber)$/;

/**
 * Sends requests that follow from a seed to a server of its own: as the document allows, nearly so, and not at all. Fails for an
 * answer that the document does not describe, for any 5xx, and for a success of what the document forbids. An even seed has the
 * carrier `http`, whose runtime is also who reports calls.
 */
export async function fuzz({ seed, requests }: { seed: number; requests: number }): Promise<Outcome> {
  const hooks = await sink(200);
  const runtime = await sink(202);
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
    const pools = createPools(random, await worldOf(setting, hooks.url));
    await furnish(setting.server, pools);
    return await run({ random, pools, server: setting.server, pool, seed, requests });
  } finally {
    await pool.close();
    await setting.stop();
    await hooks.close();
    await runtime.close();
  }
}

/** Answers everything alike, on a free port of 127.0.0.1. */
async function sink(status: number) {
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

async function worldOf({ server, fake }: CalendarSetup, hookUrl: string) {
  type Model = { llmModel: string; voices: Array<{ id: string }> };
  const { app } = server.running;
  const models = dataOf(await server.get<Model[]>('/available-llm-models/with-voices'));
  const user = { email: 'ada@example.com', password: 'correct horse battery staple' };
  const passwordHash = await passwordHashOf(user.password);
  await transact(app.db, installation, (tx) =>
    createUser(app, tx, server.orgId, { email: user.email, role: 'member', passwordHash }),
  );
  const eventTypes = [anEventType({ id: 1000 }), anEventType({ id: 1001 })];
  return {
    orgId: server.orgId,
    user,
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

/** Something of everything, so that the first requests have something to meet. */
async function furnish(server: TestServer, pools: Pools): Promise<void> {
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
    harvest(pools, operationId, dataOf(await server.get(path)));
  }
}

type Run = { random: Random; pools: Pools; server: TestServer; pool: Pool; seed: number; requests: number };

async function run({ random, pools, server, pool, seed, requests }: Run): Promise<Outcome> {
  const operations = operationsOf(server.document);
  const judge = judgeOf(server);
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
    // Keys are revoked and tokens expire along the way.
    if (index % 250 === 249) credentials = await freshCredentials(server);
    const operation = anOperation(random, operations);
    const request = aRequest({ random, pools, resolve }, operation, credentials);
    const answer = await send(pool, request);
    const wrong = judge(request, answer);
    if (wrong !== undefined) throw new Error(report({ seed, index, request, answer, wrong }));
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status === 200 && request.method === operation.method) {
      done.add(operation.operationId);
      harvest(pools, operation.operationId, (answer.body as { data?: unknown }).data);
    }
    if (answer.status === 401 && request.wellMeant) credentials = await freshCredentials(server);
  }
  const neverDone = operations.map(({ operationId }) => operationId).filter((id) => !done.has(id));
  return { requests, statuses, neverDone };
}

function anOperation(random: Random, operations: readonly Operation[]): Operation {
  const operation = random.pick(operations);
  return seldom.test(operation.operationId) && random.chance(0.9) ? anOperation(random, operations) : operation;
}

async function freshCredentials(server: TestServer): Promise<Credentials> {
  const { token } = await signToken(server.running.app, { subject: 'fuzz', orgId: server.orgId, role: 'admin' });
  const [admin, member, viewer] = await Promise.all([
    server.keyWithRole('admin'),
    server.keyWithRole('member'),
    server.keyWithRole('viewer'),
  ]);
  return { admin, member, viewer, token };
}

type Answer = { status: number; text: string; body: unknown };

async function send(pool: Pool, { method, path, headers, body }: Request): Promise<Answer> {
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const text = await answer.body.text();
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { status: answer.statusCode, text, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Says what is wrong with an answer, going by the document. */
function judgeOf({ document }: TestServer): (request: Request, answer: Answer) => string | undefined {
  const check = answerCheck(document);
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);
  ajv.addSchema(document, 'doc');
  const allows = new Map<string, ReturnType<typeof ajv.compile>>();
  const isAllowed = ({ operation, value }: Request): boolean => {
    if (!value) return true;
    const { operationId, requestBody } = operation;
    const schema = requestBody!.content['application/json']!.schema;
    const known =
      allows.get(operationId) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object);
    allows.set(operationId, known);
    return known(JSON.parse(JSON.stringify(value.json))) === true;
  };
  return (request, { status, body }) => {
    if (status >= 500) return `it answered ${status}`;
    if (status === 200 && request.method === request.operation.method && !isAllowed(request))
      return 'the document forbids what succeeded';
    // Node itself answers what is too long to be a request.
    const asked = status === 431 ? '/' : request.path;
    return check(request.method, asked, status, body)?.replace(request.path, request.operation.path);
  };
}

type Failure = { seed: number; index: number; request: Request; answer: Answer; wrong: string };

function report({ seed, index, request, answer, wrong }: Failure): string {
  const { method, path, headers, body } = request;
  return [
    `${wrong}; replay with PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_REQUESTS=${index + 1} npm run test:fuzz`,
    `${method} ${path.slice(0, 500)}`,
    JSON.stringify(headers).slice(0, 1000),
    String(body).slice(0, 3000),
    `${answer.status} ${answer.text.slice(0, 2000)}`,
  ].join('\n');
}
