import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { featureRoutes } from '../../src/features/interface.ts';
import { aCampaign, aContact, anActiveModel, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { aBase, addSources } from '../support/knowledge.ts';
import { bodyFor, type Param, paramsOf, pathFor } from '../support/route-requests.ts';
import type { Route } from '../../src/kernel/route.ts';
import { aRecording } from '../support/recordings.ts';
import { type Client, type Data, dataOf, faultPaths, type RequestOptions, startTestServer } from '../support/server.ts';
import { aSession } from '../support/sessions.ts';

const server = await startTestServer();
const hooks = http.createServer((_, response) => response.end());
await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
after(async () => {
  await server.stop();
  hooks.closeAllConnections();
  await new Promise((resolve) => hooks.close(resolve));
});

/** Session headers of a logged-in person of each organization. */
const pages = new Map<Client, RequestOptions>();

/** Creates one of every resource that a path can name, and returns their ids by the description of the path parameter. */
async function createResources(client: Client): Promise<Record<string, string>> {
  const agent = await anAgent(client, {
    webhook_url: `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/${client.orgId}`,
  });
  const number = await aNumber(client);
  const contact = await aContact(client);
  const note = dataOf(await client.post(`/contacts/${contact.id}/notes`, { content: 'Called back.' }));
  const campaign = await aCampaign(client);
  dataOf(await client.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
  const call = dataOf(
    await client.post<{ call_session_id: string }>('/calls', {
      agent_id: agent.id,
      to: aPhone('00'),
      phone_number_id: number.id,
    }),
  );
  await server.advance(60_000);
  await aRecording(server.running.app, call.call_session_id);
  const [endpoint] = dataOf(await client.get<Data[]>('/webhooks/endpoints'));
  const [delivery] = dataOf(await client.get<Data[]>('/webhooks/deliveries'));
  const key = dataOf(await client.post('/api-keys', { name: 'x', role: 'viewer' }));
  const user = dataOf(await client.post('/users', { email: `${client.orgId}@example.com`, role: 'viewer' }));
  const browser = await aSession(server, 'admin', client);
  pages.set(client, browser.page);
  const base = await aBase(client);
  const texts = { knowledge_base_texts: [{ title: 'Returns', text: 'Within 30 days.' }] };
  const { knowledge_base: withSources } = await addSources(client, base, texts);
  const unwanted = aPhone();
  dataOf(await client.post('/do-not-call', { phone: unwanted }));
  const { import_id: importId } = dataOf(
    await client.post<{ import_id: string }>('/contacts/import', `phone\n${aPhone()}\n`, {
      headers: { 'content-type': 'text/csv' },
    }),
  );
  const conversation = dataOf(await client.post(`/agents/${agent.id}/conversations`));
  const erased = await client.post<Data & { erasure_id: string }>(`/contacts/${(await aContact(client)).id}/erase`, {});
  const view = dataOf(await client.post('/views', { page: 'calls', name: 'Busy', query: '', shared: true }));
  return {
    view: view.id,
    conversation: conversation.id,
    erasure: dataOf(erased).erasure_id,
    agent: agent.id,
    'phone number': number.id,
    contact: contact.id,
    'contact in this campaign': contact.id,
    note: note.id,
    campaign: campaign.id,
    call: call.call_session_id,
    'webhook endpoint': endpoint!.id,
    'webhook delivery': delivery!.id,
    'API key': key.id,
    user: user.id,
    session: browser.id,
    'knowledge base': base,
    import: importId,
    source: withSources.knowledge_base_sources[0]!.source_id,
    '/api/v1/calendar/agents/{agent_id}/status': agent.id,
    '/api/v1/do-not-call/{phone}': unwanted,
    '/api/v1/phone-numbers/{phone_number}/release/': number.phone,
  };
}

const credentialsFor = (client: Client, { access }: Route): RequestOptions =>
  access === 'session' ? pages.get(client)! : { bearer: access === 'bearer' };

const ours: Client = server;
const theirs = await server.newOrganization();
const [own, foreign] = [await createResources(ours), await createResources(theirs)];

/** Parameters that do not name a resource of an organization. */
const notResources = new Set(['platform_id']);
const routes = featureRoutes.filter(
  (route) =>
    route.access !== 'public' &&
    paramsOf(route).length > 0 &&
    paramsOf(route).every(({ name }) => !notResources.has(name)),
);
assert.ok(routes.length >= 35, `only ${routes.length} routes name a resource`);
/** An unknown agent simply has no calendar. */
const alwaysFound = new Set(['/api/v1/calendar/agents/{agent_id}/status']);

/** The value of a path parameter that names a resource of the given organization. */
function resourceId(ids: Record<string, string>, path: string, param: Param): string {
  if (param.name === 'edition') return '1';
  const id = ids[path] ?? ids[param.title];
  assert.ok(id, `createResources() has no "${param.title}" yet, which ${path} needs`);
  return id;
}

for (const route of routes) {
  const params = paramsOf(route);
  for (const param of params) {
    if (param.name === 'edition') continue; // a number of the agent's own
    test(`${route.method} ${route.path} answers another organization's ${param.name} like an unknown one`, async () => {
      const ownOnes = Object.fromEntries(params.map((each) => [each.name, resourceId(own, route.path, each)]));
      const ask = (value: string) =>
        ours.request(route.method, `/${pathFor(route, { ...ownOnes, [param.name]: value })}`, {
          ...credentialsFor(ours, route),
          ...(route.body ? { body: bodyFor(route) } : {}),
          ...(route.upload ? { body: 'phone\n', headers: { 'content-type': 'text/csv' } } : {}),
        });
      const unknown = await ask(param.isPhone ? aPhone() : randomUUID());
      const another = await ask(resourceId(foreign, route.path, param));
      assert.equal(another.text, unknown.text);
      const found = alwaysFound.has(route.path);
      assert.deepEqual(
        [unknown.status, unknown.body.code],
        found ? [200, undefined] : [404, 'NOT_FOUND'],
        unknown.text,
      );
      assert.equal(another.status, unknown.status);
      if (param.isUuid && !found) assert.equal((await ask('no-uuid')).status, 404);
    });
  }
}

test('own resources are found on every GET path', async () => {
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const ownOnes = Object.fromEntries(paramsOf(route).map((each) => [each.name, resourceId(own, route.path, each)]));
    const { status } = await ours.get(`/${pathFor(route, ownOnes)}`, credentialsFor(ours, route));
    assert.equal(status, 200, route.path);
  }
});

test('no list shows a resource of the other organization, and all of them still exist', async () => {
  const foreignIds = Object.values(foreign);
  for (const route of featureRoutes.filter(({ method, params }) => method === 'GET' && !params)) {
    const { text } = await ours.get(`/${route.path}`, credentialsFor(ours, route));
    for (const id of foreignIds) assert.ok(!text.includes(id), `${route.path} shows ${id}`);
  }
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const ids = Object.fromEntries(paramsOf(route).map((each) => [each.name, resourceId(foreign, route.path, each)]));
    const { status } = await theirs.get(`/${pathFor(route, ids)}`, credentialsFor(theirs, route));
    assert.equal(status, 200, route.path);
  }
});

test('filters by another organization’s id find nothing, like an unknown id', async () => {
  for (const query of ['agent_id', 'campaign_id', 'contact_id']) {
    const id = foreign[query.replace('_id', '')]!;
    const [known, unknown] = [
      await ours.get(`/calls?${query}=${id}`),
      await ours.get(`/calls?${query}=${randomUUID()}`),
    ];
    assert.deepEqual([known.status, known.text], [200, unknown.text], query);
  }
  const deliveries = await ours.get<Data[]>(`/webhooks/deliveries?endpoint_id=${foreign['webhook endpoint']}`);
  assert.deepEqual(dataOf(deliveries), []);
});

test('a reference in a body to another organization’s resource is the same fault as one to an unknown id', async () => {
  const model = await anActiveModel(ours);
  const bodies: Array<[string, string, (id: string) => object, string]> = [
    ['/rag/document', 'knowledge base', (id) => ({ kb_id: id, text: 'x' }), 'kb_id'],
    [
      '/agents/',
      'knowledge base',
      (id) => ({ agentName: 'x', ...model, knowledgeBaseIds: [id] }),
      'knowledgeBaseIds[0]',
    ],
    ['/campaigns/', 'agent', (id) => ({ name: 'x', agentId: id }), 'agentId'],
    ['/campaigns/', 'phone number', (id) => ({ name: 'x', phoneNumberId: id }), 'phoneNumberId'],
    ['/calls', 'agent', (id) => ({ agent_id: id, to: aPhone(), phone_number_id: own['phone number'] }), 'agent_id'],
    [
      '/calls',
      'phone number',
      (id) => ({ agent_id: own['agent'], to: aPhone(), phone_number_id: id }),
      'phone_number_id',
    ],
    [
      '/calls',
      'contact',
      (id) => ({ agent_id: own['agent'], to: aPhone(), phone_number_id: own['phone number'], contact_id: id }),
      'contact_id',
    ],
  ];
  for (const [path, title, body, fault] of bodies) {
    const [another, unknown] = [
      await ours.post(path, body(foreign[title]!)),
      await ours.post(path, body(randomUUID())),
    ];
    assert.deepEqual(faultPaths(another), [fault], `${path} ${title}`);
    assert.equal(another.text, unknown.text);
  }
});

test('another organization’s contact cannot be added to a campaign', async () => {
  const ids = [foreign['contact']!, randomUUID()];
  const { added, skipped } = dataOf(
    await ours.post<{ added: number; skipped: Array<{ contact_id: string; reason: string }> }>(
      `/campaigns/${own['campaign']}/contacts`,
      { contact_ids: ids },
    ),
  );
  assert.equal(added, 0);
  assert.deepEqual(
    skipped.map((entry) => entry.contact_id),
    ids,
  );
  assert.equal(skipped[0]!.reason, skipped[1]!.reason);
});

test('a note is found only under its own contact', async () => {
  const second = await aContact(ours);
  assert.equal((await ours.del(`/contacts/${second.id}/notes/${own['note']}`)).status, 404);
});
