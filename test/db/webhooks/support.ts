import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { JsonObject } from '../../../src/base/json.ts';
import { installation, transact } from '../../../src/db/transaction.ts';
import { createAgent, updateAgent } from '../../../src/features/agents/service.ts';
import { type Call, plainOutcome } from '../../../src/features/calls/call.ts';
import { callEnded } from '../../../src/features/calls/events.ts';
import { syncCatalog } from '../../../src/features/catalog/service.ts';
import type { Endpoint } from '../../../src/features/endpoints/endpoint.ts';
import { endpointsSaved } from '../../../src/features/endpoints/events.ts';
import { listEndpoints } from '../../../src/features/endpoints/service.ts';
import { notificationJobs } from '../../../src/features/notifications/jobs.ts';
import { onEndpointFailing } from '../../../src/features/notifications/subscribers.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import type { Delivery } from '../../../src/features/webhooks/delivery.ts';
import { endpointFailing } from '../../../src/features/webhooks/events.ts';
import { webhookJobs } from '../../../src/features/webhooks/jobs.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { onCallEnded, onEndpointsSaved } from '../../../src/features/webhooks/subscribers.ts';
import { advance } from '../../../src/jobs/advance.ts';
import type { App } from '../../../src/kernel/app.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const wholeList = { limit: 500, offset: 0 };

type Seen = { path: string; headers: http.IncomingHttpHeaders; body: string; at: number };
type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** A web server on loopback that records its requests and gives the answer that was last set with `answerWith`. */
export async function startReceiver(t: TestContext, clock: () => number = () => 0) {
  const seen: Seen[] = [];
  let answer: (request: Seen) => Answer = () => ({ status: 200 });
  const hanging: Array<http.ServerResponse> = [];
  const waiting: Array<{ count: number; resolve: () => void }> = [];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const entry = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: clock(),
    };
    seen.push(entry);
    const reply = answer(entry);
    if (reply === 'hang') hanging.push(response);
    else response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
    for (const one of waiting) if (seen.length >= one.count) one.resolve();
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    seen,
    ids: () => seen.map(({ headers }) => headers['webhook-id']),
    answerWith(next: Answer | ((request: Seen) => Answer)) {
      answer = typeof next === 'function' ? next : () => next;
    },
    /** Resolves once `count` requests have arrived. */
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (seen.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    /** Answers the first `count` hanging requests. */
    release(status = 200, count = Number.POSITIVE_INFINITY) {
      for (const response of hanging.splice(0, count)) response.writeHead(status).end();
    },
  };
}

/** Webhooks and notifications wired as main.ts wires them. */
const wired: TestAppOptions = {
  jobs: (config) => [...webhookJobs(config, { jitter: () => 0 }), ...notificationJobs],
  wire({ events }) {
    events.on(callEnded, onCallEnded);
    events.on(endpointsSaved, onEndpointsSaved);
    events.on(endpointFailing, onEndpointFailing);
  },
};

export type WebhookTest = TestApp & {
  orgId: string;
  agentId: string;
  /** Saves the agent's webhook URLs, like PUT /agents/{id}. */
  save(...urls: string[]): Promise<void>;
  /** Ends a call of the agent and returns the call's id. */
  endCall(over?: Partial<Call>): Promise<string>;
  deliveries(filter?: Parameters<typeof webhooks.listDeliveries>[2]): Promise<Delivery[]>;
  endpoints(): Promise<Endpoint[]>;
  /** Advances the clock and waits until all due jobs have run. */
  pass(ms: number): Promise<Record<string, number>>;
  settled(): Promise<void>;
};

/** A test app with one organization and one agent with these webhook URLs. */
export async function startWebhookTest(
  t: TestContext,
  urls: string[],
  settings: Record<string, string> = {},
): Promise<WebhookTest> {
  const test = await createTestApp({ ...wired, settings });
  t.after(() => test.close());
  const { app } = test;
  await syncCatalog(app);
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const [model] = app.config.catalog.models;
  const agent = await createAgent(app, orgId, {
    agentName: 'Robin',
    model: model!.llm_model,
    voiceId: model!.voices[0]!.id,
    webhook_urls: urls,
  });
  return onBench(test, orgId, agent.id);
}

/** Starts another app on the data of one that was closed with `keep`. */
export async function restart(t: TestContext, before: WebhookTest): Promise<WebhookTest> {
  const test = await createTestApp({ ...wired, data: before.data });
  t.after(() => test.close());
  return onBench(test, before.orgId, before.agentId);
}

function onBench(test: TestApp, orgId: string, agentId: string): WebhookTest {
  const { app, clock, runner } = test;
  return {
    ...test,
    orgId,
    agentId,
    async save(...next) {
      await updateAgent(app, orgId, agentId, { webhook_urls: next });
    },
    async endCall(over = {}) {
      const call = endedCall(app, orgId, agentId, over);
      await transact(app.db, orgId, (tx) => app.events.emit(app, tx, callEnded, { call, invalidNumber: false }));
      return call.id;
    },
    deliveries: async (filter = {}) =>
      (await webhooks.listDeliveries(app, orgId, filter, wholeList)).items.toReversed(),
    endpoints: async () => (await listEndpoints(app, orgId, {}, wholeList)).items.toReversed(),
    pass: (ms) => advance({ clock, runner, log: app.log }, clock.now() + ms),
    settled: async () => void (await runner.settled()),
  };
}

const endedCall = (app: App, orgId: string, agentId: string, over: Partial<Call>): Call => {
  const now = app.clock.now();
  return {
    id: app.ids.make(),
    orgId,
    agentId,
    agentName: 'Robin',
    agentEdition: null,
    phoneNumberId: app.ids.make(),
    campaignId: null,
    contactId: null,
    campaignContactId: null,
    attempt: 1,
    from: '+493090182000',
    to: '+493090182001',
    callerName: 'Zoë',
    callerEmail: null,
    driver: 'simulated',
    direction: 'outbound',
    sip: null,
    speech: null,
    simulate: null,
    forced: false,
    sendsEvent: true,
    channel: 'voice',
    metadata: JsonObject.of({ order: 'é-7' }),
    maxDurationMs: hour,
    state: 'ended',
    ...plainOutcome('completed'),
    hangupRequested: false,
    ending: null,
    durationSec: 30,
    transcripts: [],
    createdAt: now - minute,
    slotAt: null,
    handedOverAt: null,
    startedAt: now - minute,
    answeredAt: now - 30 * second,
    endedAt: now,
    ...over,
  };
};
