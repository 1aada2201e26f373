import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { AppError } from '../../src/base/errors.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/users.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';

const minute = 60_000;
const password = 'correct horse battery staple';
type Token = { access_token: string; token_type: string; expires_in: number; org_id: string };

suite('logging in', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  let made = 0;
  const createPerson = async (role: 'admin' | 'viewer' = 'viewer') => {
    const email = `person-${made++}@example.com`;
    const { app } = server.running;
    const passwordHash = await passwordHashOf(password);
    await transact(app.db, installation, (tx) => createUser(app, tx, server.orgId, { email, role, passwordHash }));
    return email;
  };
  const logIn = (email: string, given = password) =>
    server.post<Token>('/auth/login', { email, password: given }, { key: null });
  const fail = async (email: string, times: number) => {
    for (let index = 0; index < times; index++) assert.equal((await logIn(email, 'wrong password')).status, 401);
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

  test('parallel attempts cannot exceed ten failures', async () => {
    const { db } = server.running.app;
    const email = 'stranger@example.com';
    const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(email)));
    for (const { status } of answers) assert.equal(status, 401);
    const attempts = await db.selectFrom('login_attempts').select('id').execute();
    await fail(email, 3);
    assert.equal((await db.selectFrom('login_attempts').select('id').execute()).length, attempts.length);
    await server.advance(15 * minute);
    await fail('another@example.com', 1);
    assert.equal((await db.selectFrom('login_attempts').select('id').execute()).length, 1, 'old attempts are deleted');
  });

  test('an e-mail address is unique across organizations, and a password has at least 8 characters', async () => {
    const { app } = server.running;
    const email = await createPerson();
    const other = await server.newOrganization();
    const input = { email: email.toUpperCase(), role: 'viewer' as const, passwordHash: '' };
    const again = transact(app.db, installation, (tx) => createUser(app, tx, other.orgId, input));
    await assert.rejects(again, (error: AppError) => error.kind === 'conflict');
    await assert.rejects(passwordHashOf('🐎🐎🐎🐎🐎🐎🐎'), (error: AppError) => error.kind === 'invalid');
  });

  test('a body without e-mail address and password is a 400 that names both', async () => {
    const { status, body } = await server.post('/auth/login', {}, { key: null });
    assert.deepEqual([status, body.details?.map(({ path }) => path)], [400, ['email', 'password']]);
  });
});
