import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { decodeJwt, SignJWT } from 'jose';
import { featureRoutes } from '../../src/features/interface.ts';
import type { Role } from '../../src/kernel/route.ts';
import { firstToken } from '../../src/main/bootstrap.ts';
import { testClockRoutes } from '../../src/http/test-clock-routes.ts';
import { systemRoutes } from '../../src/http/system-routes.ts';
import { aPerson } from '../support/people.ts';
import { pathFor } from '../support/route-requests.ts';
import { type Client, type Data, dataOf, faultPaths, type RequestOptions, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const routes = [
  ...featureRoutes,
  ...systemRoutes({
    driver: 'simulated',
    drivers: ['simulated'],
    testClock: true,
    report: () => assert.fail(),
    used: () => assert.fail(),
  }),
  ...testClockRoutes({ advance: () => Promise.resolve({}) }),
];
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const statusWith = async (token: string, path = '/contacts/') => (await server.get(path, bearer(token))).status;

test('every non-public route answers 401 without a key, with an unknown key and with an unknown token', async () => {
  const unknown = `pk_${'A'.repeat(36)}`;
  const guarded = routes.filter(({ access }) => access !== 'public');
  assert.ok(guarded.length > 40);
  for (const route of guarded) {
    const answers = [
      await server.request(route.method, `/${pathFor(route)}`, { key: null }),
      await server.request(route.method, `/${pathFor(route)}`, { key: unknown }),
      await server.request(route.method, `/${pathFor(route)}`, bearer('no.such.token')),
    ];
    for (const { status, body, headers } of answers) {
      assert.equal(status, 401, `${route.method} ${route.path}`);
      assert.deepEqual(Object.keys(body), ['success', 'message']);
      assert.ok(headers.get('www-authenticate'), 'no challenge');
    }
  }
});

test('routes with access "bearer" refuse an API key', async () => {
  const bearerRoutes = routes.filter(({ access }) => access === 'bearer');
  assert.equal(bearerRoutes.length, 7);
  for (const route of bearerRoutes) {
    const answer = await server.request(route.method, `/${pathFor(route)}`);
    assert.deepEqual([answer.status, answer.body.code], [401, undefined], `${route.method} ${route.path}`);
    const token = await server.request(route.method, `/${pathFor(route)}`, bearer(server.accessToken));
    assert.notEqual(token.status, 401, `${route.method} ${route.path}`);
  }
});

test('on every route, a viewer can only read, and a member can do everything but manage keys and settings', async () => {
  const keys = { viewer: await server.keyWithRole('viewer'), member: await server.keyWithRole('member') };
  const readingPosts = new Set(['createAccessToken', 'queryKnowledgeBase', 'planUnsavedCampaign', 'planNewCampaign']);
  const ownViews = new Set(['createView', 'updateView', 'deleteView']); // a viewer's own, which others do not see
  const adminOperations = new Set([
    'updateOrganization',
    'deleteCallRecording',
    'eraseContact',
    'getEverythingOfContact',
    'getErasure',
  ]);
  const adminOnly = /^\/api\/v1\/(api-keys|users|audit)\b/;
  const checked = { writes: 0, reads: 0, adminOnly: 0 };
  for (const route of routes.filter(({ access }) => access === 'any')) {
    const sensitive = adminOnly.test(route.path) || adminOperations.has(route.operationId);
    // Whoever reads a webhook secret can forge events, so reading it requires the role `member`.
    const isWrite =
      (route.method !== 'GET' && !readingPosts.has(route.operationId) && !ownViews.has(route.operationId)) ||
      route.operationId === 'getWebhookSecret';
    const statusFor = async (key: string) => (await server.request(route.method, `/${pathFor(route)}`, { key })).status;
    const name = `${route.method} ${route.path}`;
    if (isWrite || sensitive) assert.equal(await statusFor(keys.viewer), 403, name);
    if (sensitive) assert.equal(await statusFor(keys.member), 403, name);
    else assert.ok(![401, 403].includes(await statusFor(keys.member)), name);
    if (!sensitive && !isWrite) assert.notEqual(await statusFor(keys.viewer), 403, name);
    checked[sensitive ? 'adminOnly' : isWrite ? 'writes' : 'reads'] += 1;
  }
  assert.ok(
    Object.values(checked).every((count) => count >= 5),
    JSON.stringify(checked),
  );
});

test('a 403 has the code FORBIDDEN and names the required role', async () => {
  const answer = await server.post('/contacts/', {}, { key: await server.keyWithRole('viewer') });
  assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN']);
  assert.match(answer.body.message, /member.*viewer/);
});

test('an access token has the organization and role of its key, and lasts one hour', async () => {
  const viewer = await server.keyWithRole('viewer');
  const answer = await server.post<Record<string, unknown>>('/auth/token', undefined, { key: viewer });
  const data = dataOf(answer);
  assert.deepEqual(data, {
    access_token: data['access_token'],
    token_type: 'Bearer',
    expires_in: 3600,
    org_id: server.orgId,
  });
  const token = String(data['access_token']);
  assert.equal(await statusWith(token), 200);
  assert.equal((await server.post('/contacts/', {}, bearer(token))).status, 403);
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(claims).toSorted(), ['aud', 'exp', 'iat', 'iss', 'jti', 'org_id', 'role', 'sub']);
  assert.deepEqual([claims['org_id'], claims['role']], [server.orgId, 'viewer']);
  await server.advance(3_599_000);
  assert.equal(await statusWith(token), 200);
  await server.advance(1000);
  const expired = await server.get('/contacts/', bearer(token));
  assert.deepEqual([expired.status, Object.keys(expired.body)], [401, ['success', 'message']]);
  assert.match(expired.headers.get('www-authenticate')!, /^Bearer .*invalid_token/);
});

test("the ready file's token goes by real time, so that a pipeline may turn the clock by days", async (t) => {
  const turned = await startTestServer();
  t.after(() => turned.stop());
  const exchange = () => turned.post<{ access_token: string }>('/auth/token', undefined, bearer(turned.accessToken));
  const first = dataOf(await exchange()).access_token;
  await turned.advance(86_400_000);
  for (const token of [turned.accessToken, first])
    assert.equal((await turned.get('/contacts/', bearer(token))).status, 200);
  const bearers = bearer(turned.accessToken);
  assert.equal((await turned.post('/contacts/', { first_name: 'Ada', phone: '+4915112345678' }, bearers)).status, 200);
  assert.equal((await exchange()).status, 200);
});

test('a token created with a token expires with it, so that no token can renew itself forever', async () => {
  type Token = { access_token: string; expires_in: number };
  const first = dataOf(await server.post<Token>('/auth/token'));
  await server.advance(3_000_000);
  const second = dataOf(await server.post<Token>('/auth/token', undefined, bearer(first.access_token)));
  assert.equal(second.expires_in, 600);
  await server.advance(599_000);
  assert.equal(await statusWith(second.access_token), 200);
  await server.advance(1000);
  assert.equal(await statusWith(second.access_token), 401);
});

const tokenOf = async (options: RequestOptions): Promise<string> =>
  dataOf(await server.post<{ access_token: string }>('/auth/token', undefined, options)).access_token;

test('revoking a key ends the tokens that were requested with it, and the tokens requested with those tokens', async () => {
  const key = await makeKey(server, { name: 'Leaver', role: 'admin' });
  const token = await tokenOf({ key: key.api_key });
  const second = await tokenOf(bearer(token));
  assert.deepEqual([await statusWith(token), await statusWith(second)], [200, 200]);
  assert.equal((await server.del(`/api-keys/${key.id}`)).status, 200);
  assert.deepEqual([await statusWith(token), await statusWith(second)], [401, 401]);
  const key2 = { name: 'Mine for ever', role: 'admin' };
  assert.equal((await server.post('/api-keys', key2, bearer(token))).status, 401);
});

test('a token of a rotated key stays valid as long as the key, until the end of the overlap', async () => {
  const key = await makeKey(server);
  const token = await tokenOf({ key: key.api_key });
  await server.post(`/api-keys/${key.id}/rotate`, { overlap_seconds: 60 });
  assert.equal(await statusWith(token), 200);
  await server.advance(60_000);
  assert.equal(await statusWith(token), 401);
});

test('a removed user’s token is refused, and a lowered role holds from the next request on', async () => {
  const { db } = server.running.app;
  const person = await aPerson(server, 'admin');
  const { access_token: token } = dataOf(
    await server.post<{ access_token: string }>('/auth/login', person.credentials, { key: null }),
  );
  const statuses = async () => [
    (await server.get('/api-keys', bearer(token))).status,
    (await server.post('/contacts/', {}, bearer(token))).status,
    await statusWith(token),
  ];
  const setRole = (role: Role) => db.updateTable('users').set({ role }).where('id', '=', person.id).execute();
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await setRole('member');
  assert.deepEqual(await statuses(), [403, 200, 200]);
  await setRole('viewer');
  assert.deepEqual(await statuses(), [403, 403, 200]);
  const viewers = await tokenOf(bearer(token));
  await setRole('admin');
  assert.deepEqual(await statuses(), [200, 200, 200]);
  assert.equal((await server.post('/contacts/', {}, bearer(viewers))).status, 403, 'a token never gains rights');
  await db.deleteFrom('users').where('id', '=', person.id).execute();
  assert.deepEqual(await statuses(), [401, 401, 401]);
});

test('the token in the ready file belongs to no key and ends after its hour', async () => {
  const { app } = server.running;
  const token = await firstToken(app, server);
  assert.equal(await statusWith(token), 200);
  const { iat, exp, ...claims } = decodeJwt(token);
  assert.equal(exp! - iat!, 3600);
  const old = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
  assert.equal(await statusWith(await old.setExpirationTime(iat! - 1).sign(app.secrets.tokenKey)), 401);
});

test('the scheme Bearer is case-insensitive, and a bad token is refused even with a good key', async () => {
  const { access_token: token } = dataOf(await server.post<{ access_token: string }>('/auth/token'));
  const status = async (authorization: string, key: string | null = null) =>
    (await server.get('/contacts/', { key, headers: { authorization } })).status;
  assert.equal(await status(`bearer ${token}`), 200);
  assert.equal(await status(`Bearer ${token}x`, server.apiKey), 401);
  assert.equal(await status(`Basic ${token}`), 401);
  assert.equal(await status('Bearer'), 401);
  assert.equal(await status(token), 401);
});

/** Signs tokens by hand, because a library would add or refuse some of the claims that the tests need. */
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function sign(header: object, claims: object, secret: Uint8Array, hash = 'sha256'): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

test('a token with a wrong algorithm, secret, signature or set of claims is refused', async () => {
  const { access_token: token } = dataOf(await server.post<{ access_token: string }>('/auth/token'));
  const [head, payload, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const secret = server.running.app.secrets.tokenKey;
  const header = { alg: 'HS256', typ: 'JWT' };
  assert.equal(await statusWith(sign(header, claims, secret)), 200, 'the hand-made token is valid');
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const bad = {
    'no signature': `${head}.${payload}.`,
    'alg none': `${encode({ alg: 'none' })}.${payload}.`,
    'alg none with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
    'another HMAC': sign({ alg: 'HS512', typ: 'JWT' }, claims, secret, 'sha512'),
    'another secret': sign(header, claims, Buffer.from('x'.repeat(32))),
    'the empty secret': sign(header, claims, Buffer.from('')),
    'a changed role': `${head}.${encode({ ...claims, role: 'admin', sub: 'me' })}.${signature}`,
    'an unknown critical header': sign({ ...header, crit: ['x'], x: 1 }, claims, secret),
    'no expiry': sign(header, without('exp'), secret),
    'no organization': sign(header, without('org_id'), secret),
    'no subject': sign(header, without('sub'), secret),
    'an unknown role': sign(header, { ...claims, role: 'root' }, secret),
    'an organization that is not a UUID': sign(header, { ...claims, org_id: 'x' }, secret),
    'another issuer': sign(header, { ...claims, iss: 'https://elsewhere.example' }, secret),
    'another audience': sign(header, { ...claims, aud: 'elsewhere' }, secret),
    'a past expiry': sign(header, { ...claims, exp: 1 }, secret),
    'an expiry that is not a number': sign(header, { ...claims, exp: 'never' }, secret),
    'a start in the future': sign(header, { ...claims, nbf: Number(claims['exp']) - 1 }, secret),
    'claims that are a list': sign(header, [claims], secret),
  };
  for (const [name, forged] of Object.entries(bad)) assert.equal(await statusWith(forged), 401, name);
});

test('a token gives access to its own organization only', async () => {
  const other = await server.newOrganization();
  const { access_token: token, org_id: orgId } = dataOf(
    await other.post<{ access_token: string; org_id: string }>('/auth/token'),
  );
  assert.equal(orgId, other.orgId);
  const organization = await server.get('/organization', bearer(token));
  assert.equal(organization.body.data.id, other.orgId);
});

const isAccepted = async (key: string): Promise<boolean> => (await server.get('/contacts/', { key })).status === 200;
type NewKey = Data & { api_key: string };
const makeKey = async (client: Client, body: object = { name: 'CI', role: 'member' }): Promise<NewKey> =>
  dataOf(await client.post<NewKey>('/api-keys', body));

test('an API key is shown once, ends in its checksum, and is listed without its secret', async () => {
  const key = await makeKey(server);
  assert.deepEqual(key, {
    id: key.id,
    name: 'CI',
    role: 'member',
    api_key: key.api_key,
    created_at: key['created_at'],
  });
  const [, random, check] = /^pk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(key.api_key)!;
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = Array.from(check!).reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
  assert.equal(value, crc32(random!));
  const before = await server.get<Data[]>('/api-keys');
  assert.equal(before.body.data[0]!.id, key.id, 'newest first');
  assert.doesNotMatch(before.text, /pk_/);
  assert.equal(before.body.data[0]!['last_used_at'], null);
  assert.ok(await isAccepted(key.api_key));
  const used = await server.get<Data[]>('/api-keys');
  assert.match(String(used.body.data[0]!['last_used_at']), /^2026-03-02T.*Z$/);
});

test('an API key needs a name and one of the three roles', async () => {
  assert.deepEqual(faultPaths(await server.post('/api-keys', {})), ['name', 'role']);
  assert.deepEqual(faultPaths(await server.post('/api-keys', { name: '', role: 'root' })), ['name', 'role']);
  assert.deepEqual(faultPaths(await server.post('/api-keys', { name: 'x', role: 'admin', api_key: 'pk_mine' })), [
    'api_key',
  ]);
});

test('a revoked key is refused at once', async () => {
  const key = await makeKey(server);
  assert.ok(await isAccepted(key.api_key));
  assert.equal((await server.del(`/api-keys/${key.id}`)).status, 200);
  assert.ok(!(await isAccepted(key.api_key)));
  assert.equal((await server.del(`/api-keys/${key.id}`)).status, 404);
});

test('rotating creates a new key and revokes the old one at once', async () => {
  const old = await makeKey(server);
  const rotated = dataOf(await server.post<NewKey>(`/api-keys/${old.id}/rotate`));
  assert.deepEqual([rotated['name'], rotated['role']], ['CI', 'member']);
  assert.notEqual(rotated.id, old.id);
  assert.deepEqual([await isAccepted(old.api_key), await isAccepted(rotated.api_key)], [false, true]);
  assert.equal((await server.post(`/api-keys/${old.id}/rotate`)).status, 404);
  assert.equal((await server.del(`/api-keys/${old.id}`)).status, 404);
});

test('a rotation with an overlap keeps both keys valid until the overlap ends', async () => {
  const old = await makeKey(server);
  const rotated = dataOf(await server.post<NewKey>(`/api-keys/${old.id}/rotate`, { overlap_seconds: 60 }));
  assert.deepEqual([await isAccepted(old.api_key), await isAccepted(rotated.api_key)], [true, true]);
  const listed = dataOf(await server.get<Data[]>('/api-keys'));
  const now = dataOf(await server.get<{ now: string }>('/test-clock')).now;
  const expiry = listed.find(({ id }) => id === old.id)!['expires_at'];
  assert.equal(expiry, Temporal.Instant.from(now).add({ seconds: 60 }).toString({ fractionalSecondDigits: 3 }));
  await server.advance(59_999);
  assert.ok(await isAccepted(old.api_key));
  await server.advance(1);
  assert.deepEqual([await isAccepted(old.api_key), await isAccepted(rotated.api_key)], [false, true]);
  assert.ok(dataOf(await server.get<Data[]>('/api-keys')).every(({ id }) => id !== old.id));
  for (const overlap of [-1, 1.5, '60', null]) {
    assert.deepEqual(faultPaths(await server.post(`/api-keys/${rotated.id}/rotate`, { overlap_seconds: overlap })), [
      'overlap_seconds',
    ]);
  }
});

test('the last admin key cannot be revoked, but it can be rotated', async () => {
  const other = await server.newOrganization();
  const keysOf = async () => dataOf(await other.get<Data[]>('/api-keys'));
  const [only] = await keysOf();
  await makeKey(other, { name: 'Reader', role: 'viewer' });
  const refused = await other.del(`/api-keys/${only!.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  const next = dataOf(await other.post<NewKey>(`/api-keys/${only!.id}/rotate`, { overlap_seconds: 10 }));
  // The old key expires by itself, so the new one counts as the last.
  assert.equal((await other.del(`/api-keys/${next.id}`)).status, 409);
  assert.equal((await other.del(`/api-keys/${only!.id}`, { key: next.api_key })).status, 200);
});
