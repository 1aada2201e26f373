import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { refusalNow } from '../../src/http/auth.ts';
import type { Caller } from '../../src/kernel/route.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aSession, browserWith, logIn, ownPage, type SessionData, withCookie } from '../support/sessions.ts';
import { changesIn } from '../support/both-stores.ts';

const server = await startTestServer({ settings: { 'http.trusted_proxies': '["127.0.0.0/8", "::1/128"]' } });
after(() => server.stop());

const hour = 3_600_000;
const day = 24 * hour;

type ListedSession = Data & {
  created_at: string;
  last_used_at: string;
  ip: string;
  user_agent: string;
  current: boolean;
};
type AuditEntry = Data & { operation: string; actor: { kind: string; id: string; name: string } };

test('a log-in answers the person, the organization and when the session ends, and no token', async () => {
  const { id, credentials, email } = await aPerson(server, 'member');
  const answer = await logIn(server, { ...credentials, email: email.toUpperCase() });
  const { id: sessionId, ...data } = dataOf(answer);
  assert.deepEqual(data, {
    user: { id, email, role: 'member' },
    organization: { id: server.orgId, name: 'My organization' },
    expires_at: new Date(server.running.app.clock.now() + 12 * hour).toISOString(),
  });
  const { page } = browserWith(answer);
  assert.deepEqual((await server.get<SessionData>('/session', page)).body.data, { id: sessionId, ...data });
  assert.equal((await server.get('/session', { key: null })).body.data, null);
});

test('a session counts wherever a key or a token does, also for operations that take no key', async () => {
  const { page } = await aSession(server, 'admin');
  assert.equal((await server.get('/contacts', page)).status, 200);
  assert.equal((await server.post('/contacts', {}, page)).status, 200);
  assert.equal((await server.get(`/calendar/status?org_id=${server.orgId}`, page)).status, 200);
  assert.equal((await server.get('//metrics', page)).status, 200);
});

test('failed log-ins are counted together with those for a token', async () => {
  const { credentials } = await aPerson(server);
  const wrong = { ...credentials, password: 'wrong password' };
  for (let index = 0; index < 5; index++) {
    assert.equal((await logIn(server, wrong)).status, 401);
    assert.equal((await server.post('/auth/login', wrong, { key: null })).status, 401);
  }
  const [locked, unknown] = [
    await logIn(server, credentials),
    await logIn(server, { email: 'nobody@example.com', password: aPassword }),
  ];
  assert.deepEqual([locked.status, locked.text], [401, unknown.text]);
  assert.deepEqual(locked.headers.getSetCookie(), []);
  assert.equal((await server.post('/auth/login', credentials, { key: null })).status, 401);
});

test('a session ends after 12 hours without use, and 7 days after the log-in', async () => {
  const { page, id } = await aSession(server);
  const status = async () => (await server.get('/contacts', page)).status;
  await server.advance(30_000);
  assert.equal(await status(), 200);
  await server.advance(12 * hour - 1);
  assert.equal(await status(), 200, 'counted from the last use, although that was not written');
  await server.advance(12 * hour);
  assert.equal(await status(), 401);

  const busy = await aSession(server);
  for (let at = 0; at < 7 * day - 11 * hour; at += 11 * hour) {
    assert.equal((await server.get('/contacts', busy.page)).status, 200);
    await server.advance(11 * hour);
  }
  const { expires_at: end } = dataOf(await server.get<SessionData>('/session', busy.page));
  await server.advance(Date.parse(end) - server.running.app.clock.now() - 1);
  assert.equal((await server.get('/contacts', busy.page)).status, 200);
  await server.advance(1);
  assert.equal((await server.get('/contacts', busy.page)).status, 401);
  await server.advance(day);
  const rows = await server.running.app.db.selectFrom('sessions').select('id').execute();
  assert.ok(!rows.some((row) => row.id === id || row.id === busy.id), 'expired sessions are deleted at night');
});

test('auth.session.idle_sec and auth.session.max_sec change that', async (t) => {
  const strict = await startTestServer({ settings: { 'auth.session.idle_sec': '60', 'auth.session.max_sec': '100' } });
  t.after(() => strict.stop());
  const { page } = await aSession(strict);
  await strict.advance(59_999);
  assert.equal((await strict.get('/contacts', page)).status, 200);
  await strict.advance(40_001);
  assert.equal((await strict.get('/contacts', page)).status, 401);
  const idle = await aSession(strict);
  await strict.advance(60_000);
  assert.equal((await strict.get('/contacts', idle.page)).status, 401);
});

test('using a session writes once a minute at most', async () => {
  const { page } = await aSession(server);
  const { db } = server.running.app;
  const written = () => changesIn(db);
  await server.advance(60_000);
  await server.get('/contacts', page);
  const before = await written();
  for (let index = 0; index < 20; index++) assert.equal((await server.get('/contacts', page)).status, 200);
  assert.equal(await written(), before);
  await server.advance(61_000);
  const afterAdvance = await written();
  await server.get('/contacts', page);
  assert.equal(await written(), afterAdvance + 1);
});

test('a person sees and ends their own sessions only', async () => {
  const { person, ...phone } = await aSession(server);
  const browser = { ...ownPage, 'user-agent': 'Firefox', 'x-forwarded-for': '192.0.2.7' };
  const desk = browserWith(await logIn(server, person.credentials, browser));
  const listed = dataOf(await server.get<ListedSession[]>('/sessions', desk.page));
  assert.deepEqual(
    listed.map(({ id, current }) => [id, current]),
    [
      [desk.id, true],
      [phone.id, false],
    ],
  );
  assert.deepEqual([listed[0]!.ip, listed[0]!.user_agent], ['192.0.2.7', 'Firefox']);
  const other = await aSession(server, 'admin');
  assert.equal((await server.del(`/sessions/${desk.id}`, other.page)).status, 404);
  assert.equal((await server.del(`/sessions/${phone.id}`, desk.page)).status, 200);
  assert.equal((await server.get('/contacts', phone.page)).status, 401);
  assert.equal((await server.get('/contacts', desk.page)).status, 200);
  assert.equal((await server.del(`/sessions/${desk.id}`, desk.page)).status, 200);
  assert.equal((await server.get('/contacts', desk.page)).status, 401);
});

test('a new password ends the other sessions and keeps this one', async () => {
  const { person, ...phone } = await aSession(server);
  const desk = browserWith(await logIn(server, person.credentials));
  const change = (current: string, next: string) =>
    server.post('/session/password', { current_password: current, new_password: next }, desk.page);
  assert.deepEqual(faultPaths(await change('wrong password', 'another passphrase')), ['current_password']);
  assert.deepEqual(faultPaths(await change(aPassword, 'short')), ['new_password']);
  assert.equal((await server.get('/contacts', phone.page)).status, 200);
  assert.equal((await change(aPassword, 'another passphrase')).status, 200);
  assert.equal((await server.get('/contacts', phone.page)).status, 401);
  assert.equal((await server.get('/contacts', desk.page)).status, 200);
  assert.equal((await logIn(server, person.credentials)).status, 401);
  assert.equal((await logIn(server, { ...person.credentials, password: 'another passphrase' })).status, 200);
});

test('of two changes of one password at a time, the second is refused: its session has ended, or its current password is wrong', async () => {
  for (const [others, refusal] of [
    ['another session', 401],
    ['the same session', 400],
  ] as const) {
    const { person, ...phone } = await aSession(server);
    const desk = browserWith(await logIn(server, person.credentials));
    const passwords = ['another passphrase', 'yet another passphrase'];
    const changes = [desk, others === 'another session' ? phone : desk].map(({ page }, index) =>
      server.post('/session/password', { current_password: aPassword, new_password: passwords[index] }, page),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, refusal],
      others,
    );
    const logIns = await Promise.all(passwords.map((password) => logIn(server, { ...person.credentials, password })));
    assert.deepEqual(
      logIns.map(({ status }) => status),
      statuses.map((status) => (status === 200 ? 200 : 401)),
    );
  }
});

test('a session that ends while the current password is verified changes no password', async () => {
  const { person, ...phone } = await aSession(server);
  const desk = browserWith(await logIn(server, person.credentials));
  const input = { current_password: aPassword, new_password: 'another passphrase' };
  const change = server.post('/session/password', input, phone.page);
  assert.equal((await server.del(`/sessions/${phone.id}`, desk.page)).status, 200);
  assert.equal((await change).status, 401);
  assert.equal((await logIn(server, person.credentials)).status, 200);
});

test('asking whether a session or a key still counts is no use of it', async () => {
  const { app } = server.running;
  const { page, id: sessionId, person } = await aSession(server);
  const key = dataOf(await server.post('/api-keys', { name: 'tab', role: 'viewer' }));
  const common = { orgId: server.orgId, role: 'viewer', name: null } as const;
  const ofSession = { ...common, via: 'session', identity: 'user', subject: person.id, sessionId } as const;
  const ofKey = { ...common, via: 'api_key', identity: 'api_key', subject: key.id } as const;
  const operation = { operationId: 'listContacts', access: 'any', role: 'viewer' } as const;
  const asks = async (caller: Caller) => (await refusalNow(app, caller, operation)) === undefined;
  await server.advance(11 * hour);
  assert.equal(await asks(ofSession), true);
  assert.equal(await asks(ofKey), true);
  await server.advance(2 * hour);
  assert.equal(await asks(ofSession), false);
  assert.equal((await server.get('/contacts', page)).status, 401);
  const keys = dataOf(await server.get<Data[]>('/api-keys'));
  assert.equal(keys.find(({ id }) => id === key.id)!['last_used_at'], null);
});

test('what is stored of a request with a password cannot be computed from the request', async () => {
  const { page } = await aSession(server);
  const { db, secrets } = server.running.app;
  const body = JSON.stringify({ current_password: aPassword, new_password: 'another passphrase' });
  const headers = { ...page.headers, 'idempotency-key': 'new-password', 'content-type': 'application/json' };
  const send = () => server.post('/session/password', body, { ...page, headers });
  assert.equal((await send()).status, 200);
  const row = () =>
    db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'new-password').executeTakeFirstOrThrow();
  const target = JSON.stringify(['POST', '/api/v1/session/password', '']);
  const { request_hash: stored } = await row();
  assert.equal(stored, secrets.fingerprint(target, Buffer.from(body)));
  assert.notEqual(stored, hash('sha256', target + body));
  assert.equal((await send()).headers.get('idempotency-replayed'), 'true');
});

test('wrong current passwords lock like failed log-ins', async () => {
  const { page, person } = await aSession(server);
  const change = (current: string) =>
    server.post('/session/password', { current_password: current, new_password: 'another passphrase' }, page);
  for (let index = 0; index < 10; index++) assert.equal((await change('wrong password')).status, 400);
  assert.equal((await change(aPassword)).status, 400, 'locked');
  assert.equal((await logIn(server, person.credentials)).status, 401, 'log-ins are locked, too');
});

test('the audit log names the person of a session', async () => {
  const { page, person } = await aSession(server, 'admin');
  dataOf(await server.post('/contacts', {}, page));
  assert.equal((await server.del('/session', page)).status, 200);
  const entries = dataOf(await server.get<AuditEntry[]>('/audit?limit=3'));
  const actor = { kind: 'session', id: person.id, name: person.email };
  assert.deepEqual(
    entries.map((entry) => [entry.operation, entry.actor]),
    [
      ['deleteSession', actor],
      ['createContact', actor],
      ['createSession', actor],
    ],
  );
});

test('an Idempotency-Key belongs to the person: other sessions and tokens of theirs get the stored answer', async () => {
  const { page, person } = await aSession(server, 'member');
  const second = browserWith(await logIn(server, person.credentials));
  const login = await server.post<{ access_token: string }>('/auth/login', person.credentials, { key: null });
  const token = { key: null, headers: { authorization: `Bearer ${dataOf(login).access_token}` } };
  const stranger = await aSession(server, 'member');
  const create = (options: typeof page) =>
    server.post(
      '/contacts',
      { first_name: 'Once' },
      { ...options, headers: { ...options.headers, 'idempotency-key': 'x' } },
    );
  const first = await create(page);
  for (const options of [second.page, token]) assert.equal((await create(options)).text, first.text);
  assert.notEqual((await create(stranger.page)).text, first.text);
});

test("a person's sessions share a rate limit, and other people have their own", async (t) => {
  const limited = await startTestServer({
    settings: { 'http.rate_limit.per_second': '0.001', 'http.rate_limit.burst': '10' },
  });
  t.after(() => limited.stop());
  const { page, person } = await aSession(limited);
  const second = browserWith(await logIn(limited, person.credentials));
  for (let index = 0; index < 10; index++) {
    assert.equal((await limited.get('/contacts', index % 2 === 0 ? page : second.page)).status, 200);
  }
  assert.equal((await limited.get('/contacts', second.page)).status, 429);
  assert.equal((await limited.get('/contacts', (await aSession(limited)).page)).status, 200);
});

test('a person has fifty sessions at most: one more ends the oldest', async () => {
  const { page, person } = await aSession(server);
  for (let index = 0; index < 49; index++) assert.equal((await logIn(server, person.credentials)).status, 200);
  assert.equal((await server.get('/contacts', page)).status, 200);
  assert.equal((await logIn(server, person.credentials)).status, 200);
  assert.equal((await server.get('/contacts', page)).status, 401);
});

test('sessions survive a restart', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-sessions-'));
  t.after(() => rmSync(data, { recursive: true }));
  const first = await startTestServer({ data, testClock: false });
  const { cookie } = await aSession(first);
  await first.stop();
  const second = await startTestServer({ data, testClock: false });
  t.after(() => second.stop());
  assert.equal((await second.get('/contacts', withCookie(cookie))).status, 200);
});
