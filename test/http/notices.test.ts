import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { watchLive } from '../../clients/typescript/index.ts';
import { transact } from '../../src/db/transaction.ts';
import { notify } from '../../src/features/notifications/service.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Notice = { id: string; subject: string; read_at: string | null };

async function makeNotices(client: Client, count: number): Promise<void> {
  const { app } = server.running;
  await transact(app.db, client.orgId, async (tx) => {
    for (let index = 0; index < count; index++) {
      await notify(app, tx, {
        orgId: client.orgId,
        kind: 'carrier.out_of_reach',
        subject: `Notice ${index}`,
        body: 'Something happened.',
      });
    }
  });
}

/** Newest first. */
const noticesOf = async (client: Client): Promise<Notice[]> => dataOf(await client.get<Notice[]>('/notices?limit=100'));
const markRead = (client: Client, body: object) => client.post<{ read: number }>('/notices/read', body);

async function unreadOf(client: Client): Promise<unknown> {
  const watching = new AbortController();
  const { value } = await watchLive(client.api, { topic: ['overview'], signal: watching.signal }).next();
  watching.abort();
  return (value as { data: Record<string, unknown> }).data['unread_notices'];
}

test('notices are marked as read by id, once, and the overview counts the others', async () => {
  const client = await server.newOrganization();
  await makeNotices(client, 3);
  const [newest, middle, oldest] = await noticesOf(client);
  assert.deepEqual([newest!.read_at, middle!.read_at, oldest!.read_at], [null, null, null]);
  assert.equal(await unreadOf(client), 3);

  const now = dataOf(await server.get<{ now: string }>('/test-clock')).now;
  assert.deepEqual(dataOf(await markRead(client, { ids: [middle!.id, middle!.id.toUpperCase()] })), { read: 1 });
  assert.deepEqual(
    (await noticesOf(client)).map(({ read_at }) => read_at),
    [null, now, null],
  );
  assert.equal(await unreadOf(client), 2);

  await server.advance(60_000);
  assert.deepEqual(dataOf(await markRead(client, { ids: [middle!.id] })), { read: 0 });
  assert.equal((await noticesOf(client))[1]!.read_at, now);
});

test('all notices are marked as read, however many, and none of another organization', async () => {
  const [client, other] = [await server.newOrganization(), await server.newOrganization()];
  await makeNotices(client, 1001);
  await makeNotices(other, 1);
  assert.equal(await unreadOf(client), 1001);
  assert.deepEqual(dataOf(await markRead(client, { all: true })), { read: 1001 });
  assert.equal(await unreadOf(client), 0);
  assert.equal(await unreadOf(other), 1);
});

test('a notice that does not exist or is of another organization marks none', async () => {
  const [client, other] = [await server.newOrganization(), await server.newOrganization()];
  await makeNotices(client, 1);
  await makeNotices(other, 1);
  const [own] = await noticesOf(client);
  for (const id of [(await noticesOf(other))[0]!.id, randomUUID()]) {
    const { status, body } = await markRead(client, { ids: [own!.id, id] });
    assert.deepEqual([status, body.details], [400, [{ path: 'ids[1]', message: 'no such notice' }]]);
  }
  assert.equal((await noticesOf(client))[0]!.read_at, null);
  assert.equal((await noticesOf(other))[0]!.read_at, null);
});

test('a request names notices or all of them', async () => {
  const pathsOf = async (body: object): Promise<string[] | undefined> => {
    const answer = await markRead(server, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    return answer.body.details?.map(({ path }) => path);
  };
  for (const body of [{}, { all: false }, { all: true, ids: [randomUUID()] }]) {
    assert.deepEqual(await pathsOf(body), ['ids', 'all']);
  }
  assert.deepEqual(await pathsOf({ ids: [] }), ['ids']);
  assert.deepEqual(await pathsOf({ ids: ['one'] }), ['ids[0]']);
});
