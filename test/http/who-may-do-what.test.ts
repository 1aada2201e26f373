// Long: it sends thousands of requests: each operation with each kind of caller.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describedRoutes } from '../../src/http/routes.ts';
import { roles, type Role, type Route } from '../../src/kernel/route.ts';
import { aPerson } from '../support/people.ts';
import { bodyFor, pathFor } from '../support/route-requests.ts';
import { aSession } from '../support/sessions.ts';
import { type Answer, type Data, dataOf, type RequestOptions, startTestServer } from '../support/server.ts';

/*
 * Every operation of the route table with every kind of caller: a new operation is tested without being named here. What a caller of
 * another organization sees of resources is in organization-isolation.test.ts.
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

/** A key, a token that was requested with it, and a session; all have the same role. */
type Admitted = { key: RequestOptions; token: RequestOptions; session: RequestOptions };
async function admittedWith(role: Role): Promise<Admitted> {
  const key = await server.keyWithRole(role);
  return { key: byKey(key), token: byToken(await tokenOfKey(key)), session: (await aSession(server, role)).page };
}

async function revoked(): Promise<Omit<Admitted, 'session'>> {
  const { id, api_key: key } = dataOf(
    await server.post<Data & { api_key: string }>('/api-keys', { name: 'Revoked', role: 'admin' }),
  );
  const token = await tokenOfKey(key);
  assert.equal((await server.del(`/api-keys/${id}`)).status, 200);
  return { key: byKey(key), token: byToken(token) };
}

async function removedPerson(): Promise<{
  token: RequestOptions;
  tokenOfSession: RequestOptions;
  session: RequestOptions;
}> {
  const { person, page } = await aSession(server, 'admin');
  const [token, ofSession] = [await logIn(person.credentials), await tokenFrom('/auth/token', {}, page)];
  assert.equal((await server.del(`/users/${person.id}`)).status, 200);
  return { token: byToken(token), tokenOfSession: byToken(ofSession), session: page };
}

async function endedSession(): Promise<{ token: RequestOptions; session: RequestOptions }> {
  const { page } = await aSession(server, 'admin');
  const token = await tokenFrom('/auth/token', {}, page);
  assert.equal((await server.del('/session', page)).status, 200);
  return { token: byToken(token), session: page };
}

async function expiredSession(): Promise<RequestOptions> {
  const { id, page } = await aSession(server, 'admin');
  const before = server.running.app.clock.now() - 604_800_000;
  await server.running.app.db.updateTable('sessions').set({ created_at: before }).where('id', '=', id).execute();
  return page;
}

const admittedTo = ({ access }: Route, { key, token, session }: Admitted): RequestOptions[] =>
  ({ public: [], session: [session], bearer: [token, session], any: [key, token, session] })[access];

const byRole: Record<Role, Admitted> = {
  viewer: await admittedWith('viewer'),
  member: await admittedWith('member'),
  admin: await admittedWith('admin'),
};
const ofRevoked = await revoked();
const ofRemoved = await removedPerson();
const ofEnded = await endedSession();
const outsiders: Record<string, RequestOptions> = {
  nobody: { key: null },
  'a revoked key': ofRevoked.key,
  'the token of a revoked key': ofRevoked.token,
  'the token of a removed person': ofRemoved.token,
  'the session of a removed person': ofRemoved.session,
  'the token of the session of a removed person': ofRemoved.tokenOfSession,
  'a session that was logged out': ofEnded.session,
  'the token of a session that was logged out': ofEnded.token,
  'an expired session': await expiredSession(),
};

test('nobody, a revoked key, a removed person, an ended session and their tokens get 401 from every operation', async () => {
  assert.ok(routes.length >= 80, String(routes.length));
  for (const route of routes) {
    for (const [name, options] of Object.entries(outsiders)) {
      const { status, body } = await server.request(route.method, `/${pathFor(route)}`, options);
      assert.deepEqual([status, body.code], [401, undefined], `${nameOf(route)} by ${name}`);
    }
  }
});

/** Ends the session that it is called with, which the others are called with as well. */
const endsSession = ({ operationId }: Route) => operationId === 'deleteSession';

test('a key, a token and a session get 403 from exactly the operations that need a higher role', async () => {
  for (const route of routes.filter((each) => !endsSession(each))) {
    for (const role of roles) {
      const isAllowed = roles.indexOf(role) >= roles.indexOf(route.role);
      for (const options of admittedTo(route, byRole[role])) {
        const { status, body } = await server.request(route.method, `/${pathFor(route)}`, options);
        const name = `${nameOf(route)} by ${role}: ${status}`;
        if (isAllowed) assert.ok(status !== 401 && status !== 403, name);
        else assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], name);
      }
    }
  }
});

test('operations on sessions refuse every key and token', async () => {
  const own = routes.filter(({ access }) => access === 'session');
  assert.equal(own.length, 4);
  for (const route of own) {
    for (const options of [
      byRole.admin.key,
      byRole.admin.token,
      byToken(await logIn((await aPerson(server)).credentials)),
    ]) {
      const { status } = await server.request(route.method, `/${pathFor(route)}`, options);
      assert.equal(status, 401, nameOf(route));
    }
  }
});

test('an admin of another organization reads nothing of this one', async () => {
  const contact = dataOf(await server.post('/contacts/', { first_name: 'Wall' }));
  const secrets = [server.orgId, contact.id];
  const { page: theirSession } = await aSession(server, 'admin', other);
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    for (const options of [route.access === 'bearer' ? { bearer: true } : {}, theirSession]) {
      const { text } = await other.get(`/${pathFor(route, { id: contact.id })}`, options);
      for (const secret of secrets) assert.ok(!text.includes(secret), nameOf(route));
    }
  }
});

const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
/** Whether the request was refused before the key was read, or its answer is never stored. */
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
  const posts = routes.filter(({ method, access }) => method === 'POST' && access !== 'session');
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
