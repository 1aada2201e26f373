import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { type LiveEvent, watchLive } from '../../clients/typescript/index.ts';
import type { Role } from '../../src/kernel/route.ts';
import { aCampaign, aContact, anAgent, aPhone } from '../support/fixtures.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { type Client, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { aSession, browserWith, logIn } from '../support/sessions.ts';
import { newCallingOrg, nowOf } from './calling-support.ts';
import { httpSettings } from './http-carrier-support.ts';
import { voiceRuntime } from './voice-runtime.ts';

const server = await startTestServer();
after(() => server.stop());

type Event = { event: string; data: Record<string, unknown> };
type Watching = {
  response: IncomingMessage;
  /** Resolves with the next event, or undefined when the stream has ended. */
  next(): Promise<Event | undefined>;
  close(): void;
};

type WatchOptions = { headers?: Record<string, string>; server?: TestServer };

async function open(client: Client, topics: readonly string[], options: WatchOptions = {}): Promise<IncomingMessage> {
  const { server: on = server, headers = { 'x-api-key': client.apiKey } } = options;
  const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
  const sent = request(`${on.url}/api/v1/live?${query.toString()}`, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function watch(client: Client, topics: readonly string[], options: WatchOptions = {}): Promise<Watching> {
  const response = await open(client, topics, options);
  assert.equal(response.statusCode, 200);
  response.on('error', () => undefined);
  const events = eventsOf(response);
  return {
    response,
    next: async () => (await events.next()).value,
    close: () => void response.destroy(),
  };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<Event, undefined> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        if (event !== undefined) yield { event, data: JSON.parse(data!) as Record<string, unknown> };
      }
    }
  } catch {
    // the connection was cut
  }
  return undefined;
}

const statusOf = async (client: Client, topics: readonly string[]): Promise<number> => {
  const response = await open(client, topics);
  response.destroy();
  return response.statusCode!;
};

test('each topic is sent whole at once, with the clock of the server', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const base = dataOf(await client.post('/rag/knowledgebases', { name: 'Base' }));
  const topics = [
    'overview',
    'calling',
    'calls',
    'deliveries',
    `campaign:${id}`,
    `knowledge:${String(base['knowledge_base_id'])}`,
  ];
  const stream = await watch(client, topics);
  assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(stream.response.headers['cache-control'], 'no-store');
  const events = await Promise.all(topics.map(() => stream.next()));
  stream.close();
  const byTopic = new Map(events.map((event) => [event!.data['topic'], event!]));
  assert.deepEqual(new Set(byTopic.keys()), new Set(topics));
  for (const { event, data } of byTopic.values()) {
    assert.equal(event, String(data['topic']).split(':')[0]);
    assert.equal(data['now'], dataOf(await client.get<{ now: string }>('/test-clock')).now);
  }
  assert.deepEqual(Object.keys(byTopic.get('overview')!.data), [
    'topic',
    'now',
    'in_flight',
    'calling_stopped',
    'running_campaigns',
    'failing_endpoints',
    'held_deliveries',
    'unread_notices',
  ]);
  const campaign = byTopic.get(`campaign:${id}`)!.data;
  assert.deepEqual(
    [campaign['status'], campaign['execution_status'], campaign['in_flight'], campaign['calls']],
    ['draft', 'draft', 0, []],
  );
  const statuses = ['cancelled', 'delivered', 'delivering', 'exhausted', 'held', 'pending', 'retrying'];
  const counts = byTopic.get('deliveries')!.data['counts'] as Record<string, number>;
  assert.deepEqual(
    Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    statuses.map((status) => [status, 0]),
  );
  assert.equal(byTopic.get(topics.at(-1)!)!.data['status'], 'complete');
});

test('incidents name numbers whose carrier is out of reach, until it takes calls, and what failed to be read', async (t) => {
  const runtime = await voiceRuntime(t);
  runtime.onDial(() => ({ reply: { status: 503 }, takes: false }));
  const own = await startTestServer({ settings: httpSettings(runtime.url) });
  t.after(() => own.stop());
  const org = await newCallingOrg(own);
  const incidents = async (): Promise<Record<string, unknown>> => {
    const stream = await watch(org.client, ['incidents'], { server: own });
    const { topic: _topic, now: _now, ...data } = (await stream.next())!.data;
    stream.close();
    return data;
  };
  assert.deepEqual(await incidents(), { endpoints: [], numbers: [], knowledge_bases: [] });
  const base = dataOf(await org.client.post('/rag/knowledgebases', { name: 'Base' }));
  const file = new FormData();
  file.append('file', new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' }), 'broken.pdf');
  const id = String(base['knowledge_base_id']);
  dataOf(await org.client.post(`/rag/knowledge-base/${id}/add-sources`, file));
  await org.run([aPhone(), aPhone(), aPhone()], { maxCps: 100 });
  await own.advance(3000);
  const number = dataOf(await org.client.get(`/phone-numbers/import/${org.numberId}`));
  const { phone, paused_until: until, last_error: fault } = number;
  assert.match(String(fault), /503/);
  assert.deepEqual(await incidents(), {
    endpoints: [],
    numbers: [{ id: org.numberId, phone, paused_until: until, last_error: fault }],
    knowledge_bases: [{ id, name: 'Base' }],
  });
  runtime.onDial(() => undefined);
  await own.advance(10_000);
  assert.deepEqual((await incidents())['numbers'], []);
});

test('today has the figures of the agents that called, most calls first, with their calls by hour', async () => {
  const org = await newCallingOrg(server);
  const agent = await anAgent(org.client, { agentName: 'Second' });
  await org.run([aPhone('00'), aPhone('01'), aPhone('02')]);
  const second = { agent_id: agent.id, phone_number_id: org.numberId };
  dataOf(await org.client.post('/calls', { ...second, to: aPhone('00') }));
  await server.advance(600_000);
  const hour = new Date(nowOf(server)).getUTCHours();
  const stream = await watch(org.client, ['today']);
  const { data } = (await stream.next())!;
  stream.close();
  const agents = data['agents'] as Array<Record<string, unknown> & { hours: number[] }>;
  const before = agents.map(({ agent_id: id, agent_name: name, calls, hours }) => [id, name, calls, hours.length]);
  assert.deepEqual(before, [
    [org.agentId, 'Robin', 3, 24],
    [agent.id, 'Second', 1, 24],
  ]);
  assert.equal(agents[0]!.hours[hour], 3);
  assert.equal((data['totals'] as { calls: number }).calls, 4);
});

test('the typed client follows topics, and throws when they are refused', async () => {
  const client = await server.newOrganization();
  const aborting = new AbortController();
  const events = watchLive(client.api, { topic: ['overview', 'calls'], signal: aborting.signal });
  const seen = [await events.next(), await events.next()].map(({ value }) => (value as LiveEvent).event);
  assert.deepEqual(seen.toSorted(), ['calls', 'overview']);
  aborting.abort();
  await assert.rejects(watchLive(client.api, { topic: ['weather'] }).next(), { status: 404 });
});

test('a topic is sent again when it changed', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const stream = await watch(client, [`campaign:${id}`]);
  const first = await stream.next();
  assert.equal((first!.data['stats'] as { total: number }).total, 0);
  const contact = await aContact(client);
  dataOf(await client.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] }));
  const second = await stream.next();
  assert.equal((second!.data['stats'] as { total: number }).total, 1);
  stream.close();
});

test('an import shows what the answer about it does, until it has ended', async () => {
  const client = await server.newOrganization();
  const importId = '019ac2a0-6666-7000-8000-0000000000ab';
  const topic = `import:${importId}`;
  assert.equal(await statusOf(client, [topic]), 404);
  const rows = Array.from({ length: 10_000 }, (_, n) => `Ada,+49309${100_000 + n}\n`).join('');
  const headers = { 'content-type': 'text/csv' };
  const path = `/contacts/import?import_id=${importId}`;
  const sent = client.post(path, `first_name,phone\n${rows}Bob,none,1\n`, { headers });
  while ((await client.get(`/contacts/imports/${importId}`)).status === 404); // until the first batch is written
  const stream = await watch(client, [topic]);
  let last = await stream.next();
  assert.equal(last!.event, 'import');
  while (last!.data['state'] === 'running') last = await stream.next();
  stream.close();
  assert.equal((await sent).status, 200);
  const { topic: name, now, ...shown } = last!.data;
  assert.deepEqual([name, typeof now], [topic, 'string']);
  assert.deepEqual(shown, dataOf(await client.get(`/contacts/imports/${importId}`)));
  assert.deepEqual([shown['rows_read'], shown['created'], shown['rejected_count']], [10_001, 10_000, 1]);
  assert.equal(await statusOf(await server.newOrganization(), [topic]), 404);
});

test('what does not exist, belongs to another organization or is no topic is a 404 before the stream begins', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(await server.newOrganization());
  for (const topic of [
    `campaign:${id}`,
    `knowledge:${id}`,
    `import:${id}`,
    'campaign:',
    'campaign:1',
    'overview:1',
    'weather',
  ]) {
    assert.equal(await statusOf(client, [topic]), 404, topic);
    assert.equal(await statusOf(client, ['overview', topic]), 404, topic);
  }
});

test('no topic and more than eight are a 400', async () => {
  const client = await server.newOrganization();
  assert.equal(await statusOf(client, []), 400);
  assert.equal(
    await statusOf(
      client,
      Array.from({ length: 9 }, () => 'overview'),
    ),
    400,
  );
});

test('a key has twenty streams, and a slot is free again when one closes', async () => {
  const client = await server.newOrganization();
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch(client, ['overview'])));
  assert.equal(await statusOf(client, ['overview']), 503);
  const withToken = await watch(client, ['overview'], { headers: { authorization: `Bearer ${client.accessToken}` } });
  withToken.close();
  streams[0]!.close();
  let status = 503;
  for (let tries = 0; status === 503 && tries < 200; tries += 1) status = await statusOf(client, ['overview']);
  assert.equal(status, 200);
  for (const stream of streams) stream.close();
});

test('a removed campaign and a revoked key end the stream with a reason', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const key = dataOf(await client.post('/api-keys', { name: 'tab', role: 'viewer' }));
  const watching = await watch(client, ['overview'], { headers: { 'x-api-key': String(key['api_key']) } });
  const removed = await watch(client, [`campaign:${id}`]);
  await Promise.all([watching.next(), removed.next()]);
  dataOf(await client.del(`/campaigns/${id}`));
  assert.deepEqual(await removed.next(), { event: 'bye', data: { reason: 'gone' } });
  assert.equal(await removed.next(), undefined);
  dataOf(await client.del(`/api-keys/${key.id}`));
  assert.deepEqual(await watching.next(), { event: 'bye', data: { reason: 'session over' } });
});

test('a stream ends with its session: after a log-out, a removal and a new password; a lesser role may go on watching', async () => {
  await aPerson(server, 'admin'); // the last admin could not be made less
  const { id } = await aCampaign(server);
  const watching = async (role: Role) => {
    const session = await aSession(server, role);
    const stream = await watch(server, [`campaign:${id}`], { headers: { cookie: session.cookie } });
    await stream.next();
    return { ...session, stream };
  };
  const [loggedOut, removed, changed, demoted] = [
    await watching('viewer'),
    await watching('member'),
    await watching('viewer'),
    await watching('admin'),
  ];
  const elsewhere = browserWith(await logIn(server, changed.person.credentials));
  dataOf(await server.patch(`/users/${demoted.person.id}`, { role: 'viewer' }));
  assert.equal((await server.del('/session', loggedOut.page)).status, 200);
  assert.equal((await server.del(`/users/${removed.person.id}`)).status, 200);
  const passwords = { current_password: aPassword, new_password: 'another horse battery staple' };
  assert.equal((await server.post('/session/password', passwords, elsewhere.page)).status, 200);
  for (const { stream } of [loggedOut, removed, changed]) {
    assert.deepEqual(await byeOf(stream), { reason: 'session over' });
  }
  assert.equal((await server.get('/audit', demoted.page)).status, 403);
  const contact = await aContact(server);
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] }));
  const next = await demoted.stream.next();
  assert.equal((next!.data['stats'] as { total: number }).total, 1);
  demoted.stream.close();
});

/** The data of the stream's last event. */
async function byeOf(stream: Watching): Promise<Event['data'] | undefined> {
  let last: Event | undefined;
  for (let event = await stream.next(); event; event = await stream.next()) last = event;
  return last?.event === 'bye' ? last.data : undefined;
}

test('fifty watchers of a campaign cause as many statements as one', async () => {
  const { app } = server.running;
  let reads = 0;
  const { createSamplers } = await import('../../src/features/live/samplers.ts');
  const samplers = createSamplers(app);
  const topic = {
    name: 'overview',
    event: 'overview',
    isOfOne: false,
    read: () => {
      reads += 1;
      return Promise.resolve({ reads });
    },
  };
  let received = 0;
  const seenTwice = Promise.withResolvers<void>();
  const leave = Array.from({ length: 50 }, () =>
    samplers.watch('org', topic, {
      receive() {
        received += 1;
        if (received === 100) seenTwice.resolve();
      },
      gone: () => undefined,
    }),
  );
  await seenTwice.promise;
  assert.equal(reads, 2);
  for (const stop of leave) stop();
});

test('readers that take nothing do not hold up a stop, and the others are told of it', async () => {
  const stopping = await startTestServer();
  const { id } = await aCampaign(stopping);
  const organizations = await Promise.all(Array.from({ length: 5 }, () => stopping.newOrganization()));
  const silent = await Promise.all(
    organizations.flatMap((client) =>
      Array.from({ length: 10 }, () => open(client, ['overview', 'deliveries'], { server: stopping })),
    ),
  );
  for (const response of silent) response.on('error', () => undefined).pause();
  const reader = await watch(stopping, [`campaign:${id}`], { server: stopping });
  await reader.next();
  const bye = reader.next();
  await stopping.stop();
  assert.deepEqual(await bye, { event: 'bye', data: { reason: 'stopping' } });
  for (const response of silent) response.destroy();
});

test('an organization that holds all streams of the server does not keep another from watching', async (t) => {
  const crowded = await startTestServer();
  t.after(() => crowded.stop());
  const hostile = await crowded.newOrganization();
  const keys = await Promise.all(Array.from({ length: 25 }, () => hostile.keyWithRole('viewer')));
  const streams = await Promise.all(
    keys.flatMap((key) =>
      Array.from({ length: 20 }, () =>
        watch(hostile, ['overview'], { server: crowded, headers: { 'x-api-key': key } }),
      ),
    ),
  );
  const refused = await open(hostile, ['overview'], { server: crowded });
  assert.equal(refused.statusCode, 503);
  refused.destroy();
  const other = await watch(await crowded.newOrganization(), ['overview'], { server: crowded });
  assert.equal((await other.next())!.event, 'overview');
  const ends = streams.map(async (stream) => {
    for (let event = await stream.next(); event; event = await stream.next()) {
      if (event.event === 'bye') return event.data['reason'];
    }
    return 'closed';
  });
  assert.equal(await Promise.race(ends), 'too many');
  other.close();
  for (const stream of streams) stream.close();
});
