import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import * as parley from '../../clients/typescript/index.ts';
import { describedRoutes } from '../../src/http/routes.ts';
import { aPhone } from '../support/fixtures.ts';
import { startTestServer } from '../support/server.ts';
import { receiver } from './openapi-support.ts';

const server = await startTestServer();
const hooks = await receiver();
after(() => Promise.all([server.stop(), hooks.close()]));
const client = parley.createClient({ baseUrl: `${server.url}/`, apiKey: server.apiKey });

const refusal = async (promise: Promise<unknown>): Promise<parley.ParleyError> => {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof parley.ParleyError, String(error));
  return error;
};

async function anAgent(): Promise<parley.Agent> {
  const { data: models } = await parley.listModelsWithVoices(client);
  const model = models.find(({ isActive }) => isActive)!;
  const { data: agent } = await parley.createAgent(client, {
    body: {
      agentName: 'Robin',
      model: model.llmModel,
      voiceId: model.voices[0]!.id,
      webhook_url: hooks.url,
      webhook_events: ['call.completed'],
    },
  });
  return agent;
}

const aNumber = async (): Promise<parley.PhoneNumber> =>
  (await parley.importPhoneNumber(client, { body: { phone: aPhone(), termination_uri: 'sip.example.com' } })).data;

test('a campaign runs, from creating the agent to delivering the webhooks', async () => {
  assert.deepEqual(await parley.getReadiness(client), { status: 'ready' });
  const [agent, number] = [await anAgent(), await aNumber()];
  const endings = ['00', '01', '02', '03', '04'];
  const contacts = await Promise.all(
    endings.map((ending) => parley.createContact(client, { body: { first_name: ending, phone: aPhone(ending) } })),
  );
  const { data: campaign } = await parley.createCampaign(client, {
    body: {
      name: 'Spring',
      agentId: agent.id,
      phoneNumberId: number.id,
      schedule: { timezone: 'UTC', windowStart: '09:00', windowEnd: '17:00', maxConcurrent: 5, retryAttempts: 0 },
    },
  });
  const { data: joined } = await parley.addCampaignContacts(client, {
    params: { id: campaign.id },
    body: { contact_ids: contacts.map(({ data }) => data.id) },
  });
  assert.deepEqual(joined, { added: 5, skipped: [] });
  const started = await parley.updateCampaign(client, { params: { id: campaign.id }, body: { status: 'active' } });
  assert.equal(started.data.executionStatus, 'running');

  const { data: clock } = await parley.advanceTestClock(client, { body: { ms: 600_000 } });
  assert.ok(Date.parse(clock.now) > 0);
  assert.ok(Object.values(clock.ran).every((count) => count > 0));

  const { data: ended } = await parley.getCampaign(client, { params: { id: campaign.id } });
  assert.equal(ended.status, 'completed');
  const { contacted, successful, noAnswer, total } = ended.contactStats;
  assert.deepEqual({ contacted, successful, noAnswer, total }, { contacted: 2, successful: 1, noAnswer: 3, total: 5 });

  const { data: campaignContacts, meta } = await parley.listCampaignContacts(client, {
    params: { id: campaign.id },
    query: { status: ['completed'], limit: 1 },
  });
  assert.deepEqual([campaignContacts.length, meta], [1, { total: 2, limit: 1, offset: 0 }]);

  const deliveries = await parley.listWebhookDeliveries(client, { query: { status: 'delivered' } });
  assert.equal(deliveries.meta.total, 5);
  const { data: delivery } = await parley.getWebhookDelivery(client, { params: { id: deliveries.data[0]!.id } });
  assert.equal(delivery.attempts[0]!.status_code, 200);
  const events = hooks.bodies as parley.CallCompleted[];
  assert.deepEqual(events.map(({ data }) => data.status).toSorted(), [
    'busy',
    'completed',
    'completed',
    'no_answer',
    'voicemail',
  ]);
  assert.ok(events.every(({ event, data }) => event === 'call.completed' && data.campaign_id === campaign.id));
});

test('texts and files are added to a knowledge base and queried', async () => {
  const { data: base } = await parley.createKnowledgeBase(client, { body: { name: 'Help centre' } });
  const params = { kb_id: base.knowledge_base_id };
  const knowledge_base_texts = [{ title: 'Returns', text: 'What you bought may be returned within 30 days.' }];
  await parley.addKnowledgeSources(client, { params, body: { knowledge_base_texts } });
  const form = new FormData();
  form.append('file', new File(['The lift is out of order.'], 'lift.txt'));
  const { data: added } = await parley.addKnowledgeSources(client, { params, body: form });
  assert.deepEqual(
    added.knowledge_base.knowledge_base_sources.map(({ source_name }) => source_name),
    ['Returns', 'lift.txt'],
  );
  await server.running.runner.settled();
  const { data: read } = await parley.getKnowledgeBase(client, { params });
  assert.equal(read.status, 'complete');
  const { data: found } = await parley.queryKnowledgeBase(client, {
    params,
    body: { query: 'Does the lift work?', limit: 1 },
  });
  assert.deepEqual(
    found.map(({ source_name, text }) => [source_name, text]),
    [['lift.txt', 'The lift is out of order.']],
  );
});

test('an error answer throws a ParleyError with the message of the server', async () => {
  const faulty = await refusal(
    parley.createContact(client, { body: { phone: '030', email: 'ada' }, requestId: 'mine-1' }),
  );
  assert.deepEqual([faulty.status, faulty.code, faulty.requestId], [400, 'INVALID_REQUEST', 'mine-1']);
  assert.deepEqual(faulty.details.map(({ path }) => path).toSorted(), ['email', 'phone']);
  const missing = await refusal(parley.getAgent(client, { params: { agent_id: randomUUID() } }));
  assert.deepEqual([missing.status, missing.code, missing.message], [404, 'NOT_FOUND', 'No such agent.']);
  const stranger = parley.createClient({ baseUrl: server.url, apiKey: 'pk_nothing' });
  const unknown = await refusal(parley.listAgents(stranger));
  assert.deepEqual([unknown.status, unknown.code, unknown.details], [401, undefined, []]);
});

test('without a token, an operation that requires one fails and says so; with a token it works', async () => {
  await assert.rejects(parley.getCalendarStatus(client, { query: { org_id: server.orgId } }), /accessToken/);
  const { data: token } = await parley.createAccessToken(client);
  const withToken = parley.createClient({ baseUrl: server.url, accessToken: token.access_token });
  const { data } = await parley.getCalendarStatus(withToken, { query: { org_id: token.org_id } });
  assert.deepEqual(data, { connected: false, status: 'not_connected', accounts: [] });
  assert.equal((await parley.listContacts(withToken, { query: { q: 'nobody' } })).meta.total, 0);
});

/** A `fetch` that keeps cookies and says, as browsers do, that a page of the server itself sends the request. */
function browserFetch(origin: string): typeof globalThis.fetch {
  let cookie = '';
  return async (path, init) => {
    const headers = { ...(init!.headers as Record<string, string>), cookie, 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${origin}${path as string}`, { ...init!, headers });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
}

test('without a key or token, the client uses the session of the browser', async () => {
  const email = `${randomUUID()}@example.com`;
  const password = 'correct horse battery staple';
  const { data: invited } = await parley.createUser(client, { body: { email, role: 'member' } });
  const page = parley.createClient({ fetch: browserFetch(server.url) });
  assert.equal((await refusal(parley.listContacts(page))).status, 401);
  assert.equal((await parley.getSession(page)).data, null);
  const token = new URL(invited.link!).searchParams.get('token')!;
  await parley.setUp(page, { body: { token, email, password } });
  assert.equal((await parley.getSession(page)).data?.user.email, email);
  await parley.createContact(page, { body: { first_name: 'Ada' } });
  await parley.getCalendarStatus(page, { query: { org_id: server.orgId } });
  await parley.deleteSession(page);
  assert.equal((await refusal(parley.listContacts(page))).status, 401);
  const { data: session } = await parley.createSession(page, { body: { email, password } });
  assert.equal((await parley.listSessions(page)).data[0]?.id, session.id);
});

test('a request with an idempotency key is executed once', async () => {
  const create = (): Promise<parley.Answer<parley.Contact>> =>
    parley.createContact(client, { body: { first_name: 'Once' }, idempotencyKey: 'key-1' });
  const [first, second] = [await create(), await create()];
  assert.equal(first.data.id, second.data.id);
  assert.notEqual(first.requestId, second.requestId);
});

test('files are uploaded and downloaded as text', async () => {
  const phone = aPhone();
  const { data } = await parley.importContacts(client, {
    query: { dedupe: 'none' },
    body: `first_name,phone\nCsv,${phone}\n`,
  });
  assert.deepEqual([data.created, data.updated, data.rejected, data.total], [1, 0, [], 1]);
  const { data: file } = await parley.exportContacts(client);
  assert.match(file, /^id,|first_name/);
  assert.ok(file.includes(phone));
});

test('path parameters are encoded, requests can be aborted, and an answer that is not JSON is handled', async () => {
  const number = await aNumber();
  const { data } = await parley.releasePhoneNumber(client, { params: { phone_number: number.phone } });
  assert.equal(data.status, 'released');
  const signal = AbortSignal.abort();
  await assert.rejects(parley.listAgents(client, { signal }), { name: 'AbortError' });
  const proxied = parley.createClient({
    ...client,
    retries: 0, // or it waits for the 7 seconds twice
    fetch: () =>
      Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '7' } })),
  });
  const error = await refusal(parley.listAgents(proxied));
  assert.deepEqual([error.status, error.retryAfterSec, error.message], [502, 7, 'The server answered 502.']);
});

test('the client has a function for every operation', () => {
  const names = describedRoutes({ testClock: true }).filter(({ undocumented }) => !undocumented);
  for (const { operationId } of names) {
    assert.equal(typeof (parley as Record<string, unknown>)[operationId], 'function', operationId);
  }
});
