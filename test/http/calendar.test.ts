import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, suite, test } from 'node:test';
import {
  accountsOf,
  aKey,
  anAccount,
  anEventType,
  bearer,
  connect,
  disconnect,
  lookUp,
  startCalendar,
  type Status,
  statusOf,
} from '../support/calendar.ts';
import { type FakeFault, type FakeUser, errorAnswer } from '../support/fake-cal.ts';
import { anAgent } from '../support/fixtures.ts';
import { type Client, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const { server, fake, stop } = await startCalendar();
after(stop);
suite('calendar accounts', () => {
  afterEach(() => {
    fake.fault = () => undefined;
    fake.failNext(0, { kind: 'reset' });
  });

  const hourMs = 3_600_000;
  const json = (body: unknown, status = 200): FakeFault => ({
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  /** Ways in which the provider is unreachable, broken, or not Cal.com at all. */
  const providerFaults: Record<string, FakeFault> = {
    'breaks the connection': { kind: 'reset' },
    'never answers': { kind: 'hang' },
    'answers 500': errorAnswer(500),
    'answers 503 without a body': { kind: 'answer', status: 503, body: '' },
    'answers 429 and asks to wait an hour': errorAnswer(429, { 'retry-after': '3600' }),
    'answers broken JSON': { kind: 'answer', status: 200, body: '{"status":"success","data":{' },
    'answers without data': json({ status: 'success' }),
    'answers data in another format': json({ status: 'success', data: [{ id: 'x' }] }),
    'answers an error with status 200': json({ status: 'error', error: { code: 'X', message: 'no' } }),
    'answers a list': json([]),
    redirects: { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
    'is a web page': { kind: 'answer', status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' },
  };

  test('connecting checks the key with the provider and returns the active account', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake);
    const answer = await connect(org, { api_key: key, account_name: 'Sales' });
    const connection = dataOf(answer);
    assert.deepEqual(connection, {
      provider_id: connection.provider_id,
      org_id: org.orgId,
      account_name: 'Sales',
      status: 'active',
      connected_at: '2026-03-02T09:00:00.000Z',
    });
    const { method, path, key: sentKey } = fake.requests.at(-1)!;
    assert.deepEqual([method, path, sentKey], ['GET', '/v2/me', key]);
    const status = await statusOf(org);
    assert.match(status.body.message, /retrieved/);
    assert.deepEqual(dataOf(status), {
      connected: true,
      status: 'active',
      accounts: [{ id: connection.provider_id, account_name: 'Sales', status: 'active', error: null }],
    });
  });

  test('an account takes the provider’s name for it: name, user name or e-mail address', async () => {
    const org = await server.newOrganization();
    const people: Array<Partial<FakeUser>> = [
      {},
      { name: null },
      { name: ' ', username: null },
      { name: null, username: null, email: null },
    ];
    const names = [];
    for (const person of people) names.push(dataOf(await connect(org, { api_key: aKey(fake, person) })).account_name);
    assert.deepEqual(names, ['Ada Lovelace', 'ada', 'ada@example.com', 'Calendar account']);
  });

  test('an invalid connect request names all its faults at once', async () => {
    const faults = async (body: Record<string, unknown>) => faultPaths(await server.post('/calendar/connect', body));
    const good = { org_id: server.orgId, api_key: aKey(fake) };
    assert.deepEqual(await faults({}), ['api_key', 'org_id']);
    assert.deepEqual(await faults({ ...good, org_id: 'x' }), ['org_id']);
    assert.deepEqual(await faults({ ...good, org_id: null }), ['org_id']);
    for (const key of ['', 'with space', 'line\nbreak', 'ключ', 7, 'x'.repeat(501)]) {
      assert.deepEqual(await faults({ ...good, api_key: key }), ['api_key']);
    }
    assert.deepEqual(await faults({ ...good, account_name: ' ' }), ['account_name']);
    assert.deepEqual(await faults({ ...good, agent_id: 'x' }), ['agent_id']);
    assert.deepEqual(await faults({ ...good, api_key: '', agent_id: randomUUID() }), ['agent_id', 'api_key']);
    assert.deepEqual(await faults({ ...good, apikey: 'x' }), ['apikey']);
  });

  test('an unknown agent and another organization’s are the same fault at agent_id', async () => {
    const agent = await anAgent(await server.newOrganization());
    const attempt = (id: string) => connect(server, { api_key: aKey(fake), agent_id: id });
    const [another, unknown] = [await attempt(agent.id), await attempt(randomUUID())];
    assert.deepEqual(faultPaths(another), ['agent_id']);
    assert.equal(another.text, unknown.text);
  });

  test('another organization and an unknown one are the same 404 in every operation', async () => {
    const other = await server.newOrganization();
    const token = await bearer(server);
    const body = { api_key: aKey(fake), event_type_id: 1, start: '2026-03-02T09:00:00Z' };
    const attendee = { name: 'Bob', email: 'bob@example.com', timezone: 'UTC' };
    const operations: Array<(orgId: string) => ReturnType<Client['get']>> = [
      (id) => server.post('/calendar/connect', { org_id: id, api_key: body.api_key }),
      (id) => server.post('/calendar/disconnect', { org_id: id }, token),
      (id) => server.get(`/calendar/status?org_id=${id}`, token),
      (id) => server.get(`/calendar/event-types/lookup/30min?org_id=${id}`, token),
      (id) => server.get(`/calendar/slots?org_id=${id}&event_type_id=1&start=2026-03-02&end=2026-03-03`, token),
      (id) => server.post('/calendar/bookings', { org_id: id, event_type_id: 1, start: body.start, attendee }, token),
    ];
    for (const operation of operations) {
      const [another, unknown] = [await operation(other.orgId), await operation(randomUUID())];
      assert.deepEqual([another.status, another.body.code], [404, 'NOT_FOUND'], another.text);
      assert.equal(another.text, unknown.text);
    }
  });

  test('a query names the organization by exactly one of four parameters', async () => {
    const token = await bearer(server);
    const get = (query: string) => server.get<Status>(`/calendar/status?${query}`, token);
    for (const name of ['org_id', 'organization_id', 'orgId', 'organizationId']) {
      assert.equal((await get(`${name}=${server.orgId}`)).status, 200, name);
      assert.equal((await get(`${name}=${server.orgId.toUpperCase()}`)).status, 200, name);
      assert.deepEqual(faultPaths(await get(`${name}=x`)), [name]);
      assert.deepEqual(faultPaths(await get(`${name}=`)), [name]);
    }
    assert.equal((await get(`org_id=${server.orgId}&orgId=${server.orgId}`)).status, 200);
    assert.deepEqual(faultPaths(await get(`org_id=${server.orgId}&orgId=${randomUUID()}`)), ['orgId', 'org_id']);
    assert.deepEqual(faultPaths(await get('')), ['org_id']);
    assert.deepEqual(faultPaths(await get(`org_id=${server.orgId}&org_id=${server.orgId}`)), ['org_id']);
    assert.deepEqual(faultPaths(await get(`org=${server.orgId}&org_id=${server.orgId}`)), ['org']);
    assert.deepEqual(faultPaths(await server.get('/calendar/event-types/lookup/x', token)), ['org_id']);
  });

  test('a key that the provider refuses is a fault at api_key, and no account is connected', async () => {
    const org = await server.newOrganization();
    const unknown = await connect(org, { api_key: 'cal_live_unknown' });
    assert.deepEqual(faultPaths(unknown), ['api_key']);
    assert.match(unknown.body.message, /refuses the key \(401\).*not valid/);
    fake.failNext(1, errorAnswer(403));
    assert.deepEqual(faultPaths(await connect(org, { api_key: aKey(fake) })), ['api_key']);
    assert.deepEqual(await accountsOf(org), []);
  });

  for (const [name, fault] of Object.entries(providerFaults)) {
    test(`an account is connected although the provider ${name}, with an error until it answers`, async () => {
      const org = await server.newOrganization();
      const key = aKey(fake);
      fake.fault = () => fault;
      const answer = await connect(org, { api_key: key });
      assert.deepEqual([dataOf(answer).status, dataOf(answer).account_name], ['active', 'Calendar account']);
      assert.match(answer.body.message, /could not be checked yet/);
      const [failing] = await accountsOf(org);
      assert.deepEqual([failing!.status, typeof failing!.error], ['active', 'string']);
      assert.ok(!answer.text.includes(key));
      fake.fault = () => undefined;
      const [recovered] = await accountsOf(org);
      assert.equal(recovered!.error, null);
      const again = dataOf(await connect(org, { api_key: key }));
      assert.deepEqual([again.provider_id, again.account_name], [failing!.id, 'Ada Lovelace']);
    });
  }

  test('a provider address that nothing listens on counts as out of reach', async () => {
    const alone = await startTestServer({
      settings: { 'calendar.base_url': 'http://127.0.0.1:9', 'calendar.timeout_ms': '900' },
    });
    try {
      await anAccount(alone, 'cal_live_x');
      const [account] = await accountsOf(alone);
      assert.match(account!.error!, /out of reach/);
      assert.deepEqual(
        [(await lookUp(alone, 'x')).status, (await lookUp(alone, 'x')).body.code],
        [502, 'PROVIDER_ERROR'],
      );
    } finally {
      await alone.stop();
    }
  });

  test('connecting the same key again updates its account; each agent may connect the key too', async () => {
    const org = await server.newOrganization();
    const [key, agent, second] = [aKey(fake), await anAgent(org), await anAgent(org)];
    const ids = new Set([
      await anAccount(org, key),
      await anAccount(org, key, { agent_id: agent.id }),
      await anAccount(org, key, { agent_id: second.id }),
    ]);
    assert.equal(ids.size, 3);
    await server.advance(hourMs);
    const renamed = dataOf(await connect(org, { api_key: key, account_name: 'Sales' }));
    assert.ok(ids.has(renamed.provider_id));
    assert.equal(renamed.connected_at, '2026-03-02T09:00:00.000Z', 'connecting again keeps the first time');
    const kept = dataOf(await connect(org, { api_key: key }));
    assert.deepEqual([kept.provider_id, kept.account_name], [renamed.provider_id, 'Sales']);
    const upper = dataOf(await connect(org, { api_key: key, agent_id: agent.id.toUpperCase() }));
    assert.ok(ids.has(upper.provider_id));
    assert.equal((await accountsOf(org)).length, 1);
    assert.equal((await accountsOf(org, agent.id)).length, 1);
  });

  test('connecting the same key concurrently creates one account', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake);
    const ids = await Promise.all(Array.from({ length: 5 }, () => anAccount(org, key)));
    assert.equal(new Set(ids).size, 1);
  });

  test('two organizations may connect the same key without seeing each other’s account', async () => {
    const [one, two] = [await server.newOrganization(), await server.newOrganization()];
    const key = aKey(fake, { eventTypes: [anEventType({ slug: 'shared' })] });
    const [first, second] = [await anAccount(one, key), await anAccount(two, key)];
    assert.notEqual(first, second);
    assert.deepEqual(
      (await accountsOf(one)).map(({ id }) => id),
      [first],
    );
    assert.equal(dataOf(await lookUp(two, 'shared')).calendar_account_id, second);
    const [others, none] = [
      await disconnect(two, { provider_id: first }),
      await disconnect(two, { provider_id: randomUUID() }),
    ];
    assert.deepEqual([others.status, Object.keys(others.body)], [404, ['success', 'message']]);
    assert.equal(others.text, none.text);
    await disconnect(two);
    assert.equal((await accountsOf(one)).length, 1);
  });

  test('disconnecting without a provider_id disconnects all accounts of the organization itself, but no agent’s', async () => {
    const org = await server.newOrganization();
    const agent = await anAgent(org);
    const [first, second] = [await anAccount(org, aKey(fake)), await anAccount(org, aKey(fake))];
    const agents = await anAccount(org, aKey(fake), { agent_id: agent.id });
    assert.deepEqual(
      (await accountsOf(org)).map(({ id }) => id),
      [first, second],
    );
    const answer = await disconnect(org);
    assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ['success', 'message']]);
    assert.match(answer.body.message, /disconnected/);
    const status = await statusOf(org);
    assert.deepEqual(dataOf(status), { connected: false, status: 'not_connected', accounts: [] });
    assert.match(status.body.message, /not connected/);
    const again = await disconnect(org);
    assert.deepEqual([again.status, Object.keys(again.body)], [404, ['success', 'message']]);
    assert.deepEqual(
      (await accountsOf(org, agent.id)).map(({ id }) => id),
      [agents],
    );
    assert.equal((await disconnect(org, { provider_id: agents.toUpperCase() })).status, 200);
    assert.deepEqual(await accountsOf(org, agent.id), []);
  });

  test('disconnecting one account leaves the others; doing it again is a 404 without a code', async () => {
    const org = await server.newOrganization();
    const [keyOne, keyTwo] = [aKey(fake), aKey(fake)];
    const [first, second] = [await anAccount(org, keyOne), await anAccount(org, keyTwo)];
    assert.equal((await disconnect(org, { provider_id: first })).status, 200);
    assert.deepEqual(
      (await accountsOf(org)).map(({ id }) => id),
      [second],
    );
    const again = await disconnect(org, { provider_id: first });
    assert.deepEqual([again.status, again.body.code], [404, undefined]);
    assert.deepEqual(faultPaths(await disconnect(org, { provider_id: 'x' })), ['provider_id']);
    assert.deepEqual(faultPaths(await disconnect(org, { provider_id: null })), ['provider_id']);
    assert.deepEqual(faultPaths(await disconnect(org, { org_id: 'x' })), ['org_id']);
    assert.notEqual(await anAccount(org, keyOne), first, 'connecting again creates a new account');
  });

  test('an agent’s status lists only its own accounts; an unknown agent has none', async () => {
    const org = await server.newOrganization();
    const agent = await anAgent(org);
    await anAccount(org, aKey(fake));
    const none = { connected: false, status: 'not_connected', accounts: [] };
    const bare = await statusOf(org, agent.id);
    assert.deepEqual(dataOf(bare), none);
    assert.match(bare.body.message, /not connected/);
    const id = await anAccount(org, aKey(fake), { agent_id: agent.id, account_name: 'Robin’s' });
    const status = await statusOf(org, agent.id.toUpperCase());
    assert.match(status.body.message, /retrieved/);
    assert.deepEqual(dataOf(status), {
      connected: true,
      status: 'active',
      accounts: [{ id, account_name: 'Robin’s', status: 'active', error: null }],
    });
    assert.deepEqual(dataOf(await statusOf(await server.newOrganization(), agent.id)), none);
    assert.deepEqual(dataOf(await statusOf(org, randomUUID())), none);
  });

  test('an agent_id that is empty or not a UUID is a 400', async () => {
    for (const id of ['', '%20', 'x', `${randomUUID()}0`])
      assert.deepEqual(faultPaths(await statusOf(server, id)), ['agent_id'], id);
  });

  test('deleting an agent deletes its accounts and their keys', async () => {
    const org = await server.newOrganization();
    const agent = await anAgent(org);
    const id = await anAccount(org, aKey(fake), { agent_id: agent.id });
    assert.equal((await org.del(`/agents/${agent.id}`)).status, 200);
    assert.deepEqual(await accountsOf(org, agent.id), []);
    assert.equal((await disconnect(org, { provider_id: id })).status, 404);
    await server.advance(25 * hourMs);
  });

  test('a key appears in no response and no file, and is erased at disconnect', async () => {
    const data = mkdtempSync(join(tmpdir(), 'parley-calendar-'));
    const setting = await startCalendar({ data });
    const files = () => readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const holdsKey = (key: string) =>
      files().filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(key));
    try {
      const { server: own, fake: provider } = setting;
      const key = aKey(provider, { eventTypes: [anEventType({ slug: 'intro' })] });
      const keyInMessage = json({ status: 'error', error: { code: 'X', message: `What is ${key}?` } }, 500);
      const answers = [await connect(own, { api_key: key }), await statusOf(own), await lookUp(own, 'intro')];
      provider.fault = () => keyInMessage;
      answers.push(await lookUp(own, 'intro'), await statusOf(own), await connect(own, { api_key: key }));
      assert.match(answers[4]!.text, /What is \[key\]/, 'the provider repeats the key');
      for (const { text } of answers) assert.ok(!text.includes(key), text);
      assert.deepEqual(holdsKey(key), []);
      const columns = ['key_sealed', 'key_digest', 'error', 'status'] as const;
      const row = () => own.running.app.db.selectFrom('calendar_accounts').select(columns).executeTakeFirstOrThrow();
      assert.equal((await row()).key_sealed!.split('.').length, 4);
      assert.equal((await disconnect(own)).status, 200);
      assert.deepEqual(await row(), { key_sealed: null, key_digest: null, error: null, status: 'inactive' });
    } finally {
      await setting.stop();
      rmSync(data, { recursive: true });
    }
  });

  test('keys can be decrypted after a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'parley-calendar-'));
    const settings = { 'calendar.base_url': fake.url };
    const key = aKey(fake, { eventTypes: [anEventType({ slug: 'after-restart' })] });
    try {
      const first = await startTestServer({ data, settings });
      await anAccount(first, key);
      await first.stop();
      const second = await startTestServer({ data, settings });
      assert.equal((await lookUp(second, 'after-restart')).status, 200);
      await second.stop();
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  test('a key that is revoked later shows in the account’s error within a day, until it is valid again', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake);
    await anAccount(org, key);
    const user = fake.users.get(key)!;
    fake.users.delete(key);
    assert.equal((await accountsOf(org))[0]!.error, null, 'the key was not checked since');
    await server.advance(24 * hourMs);
    assert.match((await accountsOf(org))[0]!.error!, /refuses the key/);
    fake.users.set(key, user);
    const before = fake.requests.length;
    const ran = await server.advance(60_000);
    assert.ok(ran['calendar.check']! >= 1, 'a failing account is checked again soon');
    assert.ok(fake.requests.length > before);
    assert.equal((await accountsOf(org))[0]!.error, null);
  });

  test('a provider that stays unreachable is checked at growing intervals, and a disconnected account never', async () => {
    const alone = await startCalendar();
    try {
      alone.fake.fault = () => ({ kind: 'reset' });
      await anAccount(alone.server, 'cal_live_x');
      const { 'calendar.check': checks } = await alone.server.advance(24 * hourMs);
      assert.equal(checks, 5, 'after 1, 5, 30 minutes, 2 and 6 hours; then daily');
      await disconnect(alone.server);
      assert.equal((await alone.server.advance(72 * hourMs))['calendar.check'], undefined);
    } finally {
      await alone.stop();
    }
  });
});
