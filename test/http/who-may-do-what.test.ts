import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describedRoutes } from '../../src/http/routes.ts';
import { roles, type Role, type Route } from '../../src/kernel/route.ts';
import { aPerson } from '../support/people.ts';
import { bodyFor, pathFor } from '../support/route-requests.ts';
import { type Answer, type Data, dataOf, type RequestOptions, startTestServer } from '../support/server.ts';

/*
 * Every operation of the route table with every kind of caller: a new operation is tested without being named here. What a caller of
 * another organization sees of resources is in walls.test.ts.
 */

const server = await startTestServer();
after(() => server.stop());
const other = await server.newOrganization();

const routes = describedRoutes({ testClock: true }).filter(({ access }) => access !== 'public');
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

const byKey = (key: string): RequestOptions => ({ key });
const byToken = (token: string): RequestOptions => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const tokenFrom = async (path: string, body: object, options: RequestOptions): Promise<string> =>
  dataOf(await server.post<{ access_token: string }>(path, body, options)).access_token;
const tokenOfKey = (key: string) => tokenFrom('/auth/token', {}, byKey(key));
const logIn = (credentials: object) => tokenFrom('/auth/login', credentials, { key: null });

/** A key with its token; both admit the same role. */
type Admitted = { key: RequestOptions; token: RequestOptions };
async function admittedWith(role: Role): Promise<Admitted> {
  const key = await server.keyWithRole(role);
  return { key: byKey(key), token: byToken(await tokenOfKey(key)) };
}

async function revoked(): Promise<Admitted> {
  const { id, api_key: key } = dataOf(
    await server.post<Data & { api_key: string }>('/api-keys', { name: 'Revoked', role: 'admin' }),
  );
  const token = await tokenOfKey(key);
  assert.equal((await server.del(`/api-keys/${id}`)).status, 200);
  return { key: byKey(key), token: byToken(token) };
}

async function removedPerson(): Promise<RequestOptions> {
  const { id, credentials } = await aPerson(server, 'admin');
  const token = await logIn(credentials);
  await server.running.app.db.deleteFrom('users').where('id', '=', id).execute();
  return byToken(token);
}

const byRole: Record<Role, Admitted> = {
  viewer: await admittedWith('viewer'),
  member: await admittedWith('member'),
  admin: await admittedWith('admin'),
};
const ofRevoked = await revoked();
const outsiders: Record<string, RequestOptions> = {
  nobody: { key: null },
  'a revoked key': ofRevoked.key,
  'the token of a revoked key': ofRevoked.token,
  'a removed person': await removedPerson(),
};

test('nobody, a revoked key, its token and a removed person get 401 from every operation', async () => {
  assert.ok(routes.length >= 80, String(routes.length));
  for (const route of routes) {
    for (const [name, options] of Object.entries(outsiders)) {
      const { status, body } = await server.request(route.method, `/${pathFor(route)}`, options);
      assert.deepEqual([status, body.code], [401, undefined], `${nameOf(route)} by ${name}`);
    }
  }
});

test('a key and a token get 403 from exactly the operations that need a higher role', async () => {
  for (const route of routes) {
    for (const role of roles) {
      const isAllowed = roles.indexOf(role) >= roles.indexOf(route.role);
      const { key, token } = byRole[role];
      for (const options of route.access === 'bearer' ? [token] : [key, token]) {
        const { status, body } = await server.request(route.method, `/${pathFor(route)}`, options);
        const name = `${nameOf(route)} by ${role}: ${status}`;
        if (isAllowed) assert.ok(status !== 401 && status !== 403, name);
        else assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], name);
      }
    }
  }
});

test('an admin of another organization reads nothing of this one', async () => {
  const contact = dataOf(await server.post('/contacts/', { first_name: 'Wall' }));
  const secrets = [server.orgId, contact.id];
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { text } = await other.get(`/${pathFor(route, { id: contact.id })}`, { bearer: route.access === 'bearer' });
    for (const secret of secrets) assert.ok(!text.includes(secret), nameOf(route));
  }
});

const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
/** Refused before the key is looked at, or never stored. */
const isNeverReplayed = ({ status }: Answer) => [401, 403, 408, 413, 415, 429].includes(status) || status >= 500;

test('an answer to any POST with an Idempotency-Key is repeated to its own caller only', async () => {
  const mine = byRole.admin;
  const person = await aPerson(server, 'admin');
  const others: Record<string, RequestOptions> = {
    ...outsiders,
    'a viewer': byRole.viewer.key,
    'a member': byRole.member.key,
    'another admin key': byKey(server.apiKey),
    'a person who is an admin': byToken(await logIn(person.credentials)),
    'an admin of another organization': byKey(other.apiKey),
    'the token of another organization': byToken(other.accessToken),
  };
  const posts = routes.filter(({ method }) => method === 'POST');
  assert.ok(posts.length > 25, String(posts.length));
  let replayed = 0;
  for (const [index, route] of posts.entries()) {
    const [path, body] = [`/${pathFor(route)}`, bodyFor(route)];
    const send = (options: RequestOptions) =>
      server.request('POST', path, {
        ...options,
        headers: { ...options.headers, 'idempotency-key': `post ${index}` },
        ...(body === undefined ? {} : { body }),
      });
    const first = await send(route.access === 'bearer' ? mine.token : mine.key);
    for (const [name, options] of Object.entries(others)) {
      assert.ok(!isReplayed(await send(options)), `${nameOf(route)} by ${name}`);
    }
    for (const options of route.access === 'bearer' ? [mine.token] : [mine.key, mine.token]) {
      const again = await send(options);
      if (route.readOnly === true || isNeverReplayed(first)) assert.ok(!isReplayed(again), nameOf(route));
      else if (route.answersSecret === true && first.status === 200) assert.equal(again.status, 409, nameOf(route));
      else {
        assert.deepEqual(
          [isReplayed(again), again.status, again.text],
          [true, first.status, first.text],
          nameOf(route),
        );
        replayed += 1;
      }
    }
  }
  assert.ok(replayed > 40, String(replayed));
});
