import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { isoAt, newCallingOrg, nowOf } from './calling-support.ts';
import { httpSettings } from './http-carrier-support.ts';
import { voiceRuntime } from './voice-runtime.ts';

/** An endpoint that answers with `status`. */
async function endpointAnswering(t: TestContext): Promise<{ url: string; status: number }> {
  const endpoint = { url: '', status: 410 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(endpoint.status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return endpoint;
}

test('resume makes one failing endpoint deliver again, and leaves the others', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const [one, other] = [await endpointAnswering(t), await endpointAnswering(t)];
  await anAgent(server, { webhookUrls: [one.url, other.url] });
  const endpoints = async () =>
    dataOf(await server.get<Array<Data & { url: string; status: string }>>('/webhooks/endpoints'));
  const idOf = async (url: string) => (await endpoints()).find((endpoint) => endpoint.url === url)!.id;
  const delivery = dataOf(await server.post(`/webhooks/endpoints/${await idOf(one.url)}/test`));
  await server.post(`/webhooks/endpoints/${await idOf(other.url)}/test`);
  await server.advance(0);
  assert.deepEqual(new Set((await endpoints()).map(({ status }) => status)), new Set(['failing']));
  one.status = other.status = 200;
  const resumed = dataOf(await server.post(`/webhooks/endpoints/${await idOf(one.url)}/resume`));
  assert.deepEqual([resumed['status'], resumed['failing_since'], resumed['last_error']], ['delivering', null, null]);
  await server.advance(0);
  assert.equal(dataOf(await server.get(`/webhooks/deliveries/${delivery.id}`))['status'], 'delivered');
  const statuses = (await endpoints()).map(({ url, status }) => [url === one.url, status]);
  assert.deepEqual(
    new Map(statuses as Array<[boolean, string]>),
    new Map([
      [true, 'delivering'],
      [false, 'failing'],
    ]),
  );
  const again = await server.post(`/webhooks/endpoints/${await idOf(one.url)}/resume`);
  assert.equal(again.status, 200, 'a delivering endpoint stays as it is');
});

test('the webhook secret says until when the previous one signs', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const { id } = await anAgent(server);
  const secret = async () => dataOf(await server.get(`/agents/${id}/webhook-secret`));
  const { secret: old, previous_expires_at: none } = await secret();
  assert.equal(none, null);
  await server.post(`/agents/${id}/webhook-secret/rotate`, { overlap_seconds: 60 });
  const rotated = await secret();
  assert.notEqual(rotated['secret'], old);
  assert.equal(rotated['previous_expires_at'], isoAt(nowOf(server) + 60_000));
  await server.advance(60_000);
  assert.equal((await secret())['previous_expires_at'], null);
});

test('a number whose carrier is out of reach says why, and when it is tried again', async (t) => {
  const runtime = await voiceRuntime(t);
  runtime.onDial(() => ({ reply: { status: 503 }, takes: false }));
  const server = await startTestServer({ settings: httpSettings(runtime.url) });
  t.after(() => server.stop());
  const org = await newCallingOrg(server);
  const number = async () => dataOf(await org.client.get(`/phone-numbers/import/${org.numberId}`));
  const fields = ({ paused_until: until, last_error: error }: Record<string, unknown>) => [until, error];
  assert.deepEqual(fields(await number()), [null, null]);
  await org.run([aPhone(), aPhone(), aPhone()], { maxCps: 100 });
  await server.advance(3000);
  const paused = await number();
  const untilMs = Date.parse(String(paused['paused_until'])) - nowOf(server);
  assert.ok(untilMs > 0 && untilMs <= 5_000, String(paused['paused_until']));
  assert.match(String(paused['last_error']), /503/);
  const [listed] = dataOf(await org.client.get<Data[]>('/phone-numbers'));
  assert.deepEqual(listed, paused);
  runtime.onDial(() => undefined);
  await server.advance(10_000);
  assert.deepEqual(fields(await number()), [null, null]);
});
