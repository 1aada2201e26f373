import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { aNumber, anAgent, aPhone } from '../support/fixtures.ts';
import { aBase, addSources, theBase } from '../support/knowledge.ts';
import { type Client, dataOf, startTestServer, type TestServer } from '../support/server.ts';

/** A web server that never answers requests below `/hang`, and counts all requests. */
async function hangingServer(t: TestContext) {
  const arrivals = new Map<string, number>();
  let onRequest = (): void => undefined;
  const hanging = new Set<ServerResponse>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '';
    arrivals.set(path, (arrivals.get(path) ?? 0) + 1);
    request.resume();
    if (path.startsWith('/hang')) hanging.add(response);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Walrus.</p>');
    onRequest();
  };
  /** Listens on one more port, which a crawler treats as another host. */
  async function listen(): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  return {
    origin: await listen(),
    listen,
    hanging,
    /** Resolves when the condition holds; checks it after every request. */
    async until(condition: (count: (path: string) => number) => boolean) {
      while (!condition((path) => arrivals.get(path) ?? 0)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onRequest = resolve;
        await promise;
      }
    },
  };
}

const settings = { 'outbound.allow_networks': '["127.0.0.1/32"]', 'webhooks.max_in_flight': '24' };

async function aServer(t: TestContext): Promise<TestServer> {
  const server = await startTestServer({ settings });
  t.after(() => server.stop());
  return server;
}

/** Sends a sample event to every endpoint of the organization. */
async function testEndpoints(client: Client): Promise<void> {
  const endpoints = dataOf<Array<{ id: string }>>(await client.get('/webhooks/endpoints?limit=500'));
  for (const { id } of endpoints) await client.post(`/webhooks/endpoints/${id}/test`, {});
}

test(
  "one organization's hanging webhook URLs delay neither another's webhooks nor its calls",
  { timeout: 60_000 },
  async (t) => {
    const [server, web] = [await aServer(t), await hangingServer(t)];
    const hostile = await server.newOrganization();
    for (let index = 0; index < 40; index += 1) {
      await anAgent(hostile, { webhook_url: `${web.origin}/hang/${index}` });
    }
    await testEndpoints(hostile);
    await web.until(() => web.hanging.size >= 12);

    const agent = await anAgent(server, { webhook_url: `${web.origin}/quick` });
    const number = await aNumber(server);
    await testEndpoints(server);
    await web.until((count) => count('/quick') === 1);
    const call = dataOf(
      await server.post('/calls', { agent_id: agent.id, phone_number_id: number.id, to: aPhone('00') }),
    );
    let state = '';
    while (state !== 'ringing')
      state = String(dataOf(await server.get(`/calls/${call['call_session_id'] as string}`))['state']);
    assert.ok(web.hanging.size < 24, 'slots are left for others');
  },
);

test("one organization's hanging sites delay no document and no site of another", { timeout: 60_000 }, async (t) => {
  const [server, web] = [await aServer(t), await hangingServer(t)];
  const hostile = await server.newOrganization();
  const slowBase = await aBase(hostile);
  const origins = await Promise.all(Array.from({ length: 50 }, () => web.listen()));
  await addSources(hostile, slowBase, { knowledge_base_urls: origins.map((origin) => `${origin}/hang`) });
  const base = await aBase(server);
  await addSources(server, base, {
    knowledge_base_texts: [{ title: 'T', text: 'A walrus.' }],
    knowledge_base_urls: [`${web.origin}/quick`],
  });
  let status = '';
  while (status !== 'complete') ({ status } = await theBase(server, base));
  assert.ok(web.hanging.size > 0);
});
