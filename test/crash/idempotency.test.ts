import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { aKey, anEventType } from '../support/calendar.ts';
import { startFakeCal } from '../support/fake-cal.ts';
import { apiKey, createKillableServer } from './server.ts';

/** Sends a POST to a server that crashes at a fault point, and again after its restart. Returns the number of contacts that exist then. */
async function postTwice(t: TestContext, crashAt: string) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const server = createKillableServer(directory, {});
  t.after(() => server.kill());
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': 'once' };
  const post = async () => {
    const { url } = await server.address();
    return fetch(`${url}/api/v1/contacts`, { method: 'POST', headers, body: '{"first_name":"Ada"}' });
  };
  assert.equal(await server.start({ crashAt }), 'ready', server.log());
  await assert.rejects(post(), 'it died before it answered');
  await server.gone();
  assert.equal(await server.start(), 'ready', server.log());
  const again = await post();
  const { url } = await server.address();
  const list = (await (await fetch(`${url}/api/v1/contacts`, { headers })).json()) as { meta: { total: number } };
  await server.stop();
  return { status: again.status, replayed: again.headers.get('idempotency-replayed'), contacts: list.meta.total };
}

suite('a server that dies in a request with an Idempotency-Key', { concurrency: 2 }, () => {
  test('carries out the request when it is sent again, if the crash came before the commit', async (t) => {
    assert.deepEqual(await postTwice(t, 'request.uncommitted:1'), { status: 200, replayed: null, contacts: 1 });
  });

  test('replays the stored answer when the request is sent again, if the crash came after the commit', async (t) => {
    assert.deepEqual(await postTwice(t, 'request.committed:1'), { status: 200, replayed: 'true', contacts: 1 });
  });

  test('does not repeat a booking if the crash came while the calendar provider was booking', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
    const fake = await startFakeCal();
    const server = createKillableServer(directory, { 'calendar.base_url': fake.url });
    t.after(async () => {
      await server.kill();
      await fake.close();
      rmSync(directory, { recursive: true, force: true });
    });
    const start = '2031-03-03T10:00:00.000Z';
    const eventType = anEventType({ free: [start] });
    const key = aKey(fake, { eventTypes: [eventType] });
    const post = async (path: string, body: object, headers: Record<string, string>) => {
      const { url } = await server.address();
      const type = { 'content-type': 'application/json' };
      return fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { ...type, ...headers },
        body: JSON.stringify(body),
      });
    };
    assert.equal(await server.start(), 'ready', server.log());
    const asKey = { 'x-api-key': apiKey };
    const { data } = (await (await post('/auth/token', {}, asKey)).json()) as { data: Record<string, string> };
    const asBearer = { authorization: `Bearer ${data['access_token']}` };
    const connected = await post('/calendar/connect', { org_id: data['org_id'], api_key: key }, asKey);
    assert.equal(connected.status, 200, await connected.text());

    fake.fault = async ({ method }) => {
      if (method === 'POST') await server.kill();
    };
    const attendee = { name: 'Ada', email: 'ada@example.com', timezone: 'Europe/Berlin' };
    const book = () =>
      post(
        '/calendar/bookings',
        { event_type_id: eventType.id, start, attendee },
        { ...asBearer, 'idempotency-key': 'k' },
      );
    await assert.rejects(book(), 'it died before it answered');
    await server.gone();
    assert.equal(await server.start(), 'ready', server.log());
    const again = await book();
    const { code, message } = (await again.json()) as { code: string; message: string };
    assert.deepEqual([again.status, code], [409, 'CONFLICT']);
    assert.match(message, /was cut off and may have taken effect/);
    assert.equal(fake.requests.filter(({ method }) => method === 'POST').length, 1);
  });
});
