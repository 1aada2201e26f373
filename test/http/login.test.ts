import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { AppError } from '../../src/base/errors.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { loginGuard } from '../../src/features/organizations/log-in/login-guard.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/people/service.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { changesIn } from '../support/both-stores.ts';

const minute = 60_000;
type Token = { access_token: string; token_type: string; expires_in: number; org_id: string };

suite('logging in', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ settings: { 'http.trusted_proxies': '["127.0.0.0/8", "::1/128"]' } });
  });
  after(() => server.stop());

  const createPerson = async (role: 'admin' | 'viewer' = 'viewer') => (await aPerson(server, role)).email;
  const logIn = (email: string, given = aPassword, from = '192.0.2.1') =>
    server.post<Token>('/auth/login', { email, password: given }, { key: null, headers: { 'x-forwarded-for': from } });
  const fail = async (email: string, times: number, from?: string) => {
    for (let index = 0; index < times; index++) assert.equal((await logIn(email, 'wrong password', from)).status, 401);
  };

  test('a person gets a token with their role, whatever the case of the e-mail address', async () => {
    const email = await createPerson();
    const data = dataOf(await logIn(email.toUpperCase()));
    assert.deepEqual(
      { ...data, access_token: '' },
      { access_token: '', token_type: 'Bearer', expires_in: 3600, org_id: server.orgId },
    );
    const options = { key: null, headers: { authorization: `Bearer ${data.access_token}` } };
    assert.equal((await server.get('/contacts', options)).status, 200);
    assert.equal((await server.post('/contacts', {}, options)).status, 403);
    const admin = dataOf(await logIn(await createPerson('admin')));
    const asAdmin = { key: null, headers: { authorization: `Bearer ${admin.access_token}` } };
    assert.equal((await server.get('/api-keys', asAdmin)).status, 200);
  });

  test('an unknown address and a wrong password get the same 401, without a code', async () => {
    const [wrong, unknown] = [await logIn(await createPerson(), 'wrong password'), await logIn('nobody@example.com')];
    assert.deepEqual([wrong.status, wrong.text], [401, unknown.text]);
    assert.equal(wrong.body.code, undefined);
    assert.equal(wrong.headers.get('www-authenticate'), unknown.headers.get('www-authenticate'));
    assert.notEqual(wrong.headers.get('www-authenticate'), null);
  });

  test('ten failures in 15 minutes lock an address even for the right password, until the first ones are 15 minutes old', async () => {
    const email = await createPerson();
    await fail(email, 5);
    await server.advance(10 * minute);
    await fail(email, 5);
    const locked = await logIn(email);
    assert.equal(locked.status, 401);
    assert.equal(locked.text, (await logIn('somebody@example.com')).text, 'with the usual message');
    assert.equal((await logIn(await createPerson())).status, 200, 'others are not locked');
    await server.advance(5 * minute - 1);
    assert.equal((await logIn(email)).status, 401);
    await server.advance(1);
    assert.equal((await logIn(email)).status, 200, 'the first five are 15 minutes old');
  });

  test('a successful log-in resets the count of failures', async () => {
    const email = await createPerson();
    await fail(email, 9);
    assert.equal((await logIn(email)).status, 200);
    await fail(email, 9);
    assert.equal((await logIn(email)).status, 200);
  });

  test('a lock holds for its address only: a stranger cannot lock a person out', async () => {
    const { email, credentials } = await aPerson(server);
    await fail(email, 10, '198.51.100.7');
    assert.equal((await logIn(email, credentials.password, '198.51.100.7')).status, 401);
    assert.equal((await logIn(email, credentials.password, '198.51.100.8')).status, 200);
    assert.equal((await logIn(email)).status, 200);
  });

  test('parallel attempts cannot exceed ten failures', async () => {
    const { email } = await aPerson(server);
    const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(email, 'wrong password')));
    for (const { status } of answers) assert.equal(status, 401);
    assert.equal((await logIn(email)).status, 401);
    await server.advance(15 * minute - 1);
    assert.equal((await logIn(email)).status, 401);
    await server.advance(1);
    assert.equal((await logIn(email)).status, 200);
  });

  test('failed log-ins with an unknown e-mail address write nothing', async () => {
    const { db } = server.running.app;
    const written = () => changesIn(db);
    const already = await written();
    await fail('stranger@example.com', 12);
    assert.equal(await written(), already);
  });

  test('after 100 failures from anywhere log-ins wait, but not those from an address that the person has logged in from', async () => {
    const { email, credentials } = await aPerson(server);
    assert.equal((await logIn(email)).status, 200);
    const guard = loginGuard(server.running.app);
    for (let index = 0; index < 100; index++) guard.begin(email, `198.51.100.${index}`, server.running.app.clock.now());
    const slowed = logIn(email, credentials.password, '203.0.113.1');
    const first = await Promise.race([
      slowed.then(() => 'a new address'),
      logIn(email).then(() => 'the known address'),
    ]);
    assert.equal(first, 'the known address');
    assert.equal((await slowed).status, 200, 'the right password still passes');
    await server.advance(15 * minute);
  });

  test('an e-mail address is unique across organizations, and a password has 8 to 1,024 characters', async () => {
    const { app } = server.running;
    const email = await createPerson();
    const other = await server.newOrganization();
    const input = { email: email.toUpperCase(), role: 'viewer' as const, passwordHash: '' };
    const again = transact(app.db, installation, (tx) => createUser(app, tx, other.orgId, input));
    await assert.rejects(again, (error: AppError) => error.kind === 'conflict');
    for (const bad of ['🐎'.repeat(7), '🐎'.repeat(1025)]) {
      await assert.rejects(passwordHashOf(bad), (error: AppError) => error.kind === 'invalid');
    }
    for (const good of ['🐎'.repeat(8), '🐎'.repeat(1024)]) assert.ok(await passwordHashOf(good));
  });

  test('a body without e-mail address and password is a 400 that names both', async () => {
    const { status, body } = await server.post('/auth/login', {}, { key: null });
    assert.deepEqual([status, body.details?.map(({ path }) => path)], [400, ['email', 'password']]);
  });
});
