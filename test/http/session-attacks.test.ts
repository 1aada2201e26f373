// Long: each operation that may change something is tried from the page of another site.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { changesIn } from '../support/both-stores.ts';
import { describedRoutes } from '../../src/http/routes.ts';
import type { Route } from '../../src/kernel/route.ts';
import { aPerson } from '../support/people.ts';
import { bodyFor, pathFor } from '../support/route-requests.ts';
import { dataOf, type RequestOptions, startTestServer, type TestServer } from '../support/server.ts';
import { aSession, browserWith, cookieOf, logIn, ownPage, withCookie } from '../support/sessions.ts';

/** Attacks with a session cookie by other pages, other servers of the machine, and thieves. */

const server = await startTestServer();
after(() => server.stop());

const unsafe = describedRoutes({ testClock: true }).filter(
  ({ method, access }) => method !== 'GET' && access !== 'public',
);
const written = ({ running }: TestServer): Promise<number> => changesIn(running.app.db);

/** Requests that a browser sends with the cookie although no page of the server made them. */
const foreign: Record<string, Readonly<Record<string, string>>> = {
  'a page on another port': { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9999' },
  'a page on another port, in a browser without Sec-Fetch-Site': { origin: 'http://127.0.0.1:9999' },
  'a page of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a page without an origin': { origin: 'null' },
  'an https page of the same address': { origin: server.url.replace('http:', 'https:') },
  'the address bar': { 'sec-fetch-site': 'none' },
  'no browser at all': {},
  'a page that repeats the header': { 'sec-fetch-site': 'same-origin, cross-site' },
  // The header `Origin` must be compared with the server's own address. Koa's ctx.origin is that same header, so comparing with it would
  // always succeed.
  'a page whose Host is forged in X-Forwarded-Host': {
    origin: 'http://evil.example',
    'x-forwarded-host': 'evil.example',
  },
};

test('no operation that may change something takes a session from elsewhere, and nothing happens', async () => {
  assert.ok(unsafe.length > 45, String(unsafe.length));
  const { cookie } = await aSession(server, 'admin');
  const before = await written(server);
  for (const route of unsafe) {
    for (const [name, headers] of Object.entries(foreign)) {
      const answer = await server.request(route.method, `/${pathFor(route)}`, {
        key: null,
        headers: { cookie, ...headers },
        body: bodyFor(route) ?? {},
      });
      assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'], `${route.operationId} from ${name}`);
    }
  }
  assert.equal(await written(server), before);
});

test('a form of another page does nothing either: as multipart, urlencoded or plain text, with a body that is never read', async () => {
  const { cookie } = await aSession(server, 'admin');
  const before = await written(server);
  const form = new FormData();
  form.set('file', new File(['first_name,phone\nEve,+4930901820\n'], 'contacts.csv', { type: 'text/csv' }));
  for (const route of unsafe.filter(({ method }) => method === 'POST')) {
    const send = (body: unknown, type?: string) =>
      server.request('POST', `/${pathFor(route)}`, {
        key: null,
        headers: { cookie, origin: 'http://127.0.0.1:9999', ...(type === undefined ? {} : { 'content-type': type }) },
        body,
      });
    for (const answer of [
      await send(form),
      await send('role=admin', 'application/x-www-form-urlencoded'),
      await send(JSON.stringify(bodyFor(route) ?? {}), 'text/plain'),
    ]) {
      assert.equal(answer.status, 403, `${route.operationId} ${answer.text}`);
    }
  }
  assert.equal(await written(server), before);
});

/** Answers of operations that the role permits and whose request is let through. */
const passes = (route: Route, options: RequestOptions) =>
  server.request(route.method, `/${pathFor(route)}`, { ...options, body: bodyFor(route) ?? {} });

test("the server's own pages pass, with Sec-Fetch-Site or with an Origin alone", async () => {
  const { cookie } = await aSession(server, 'admin');
  const others = unsafe.filter(({ operationId }) => operationId !== 'deleteSession');
  for (const headers of [ownPage, { origin: server.url }]) {
    for (const route of others) {
      const { status, text } = await passes(route, { key: null, headers: { cookie, ...headers } });
      assert.ok(status !== 401 && status !== 403, `${route.operationId}: ${text}`);
    }
  }
});

test('where a key or a token is sent, the cookie is not looked at', async () => {
  const { cookie } = await aSession(server, 'admin');
  const viewer = await server.keyWithRole('viewer');
  const headers = { cookie, ...ownPage };
  assert.equal((await server.post('/contacts', {}, { key: viewer, headers })).status, 403);
  assert.equal((await server.get('/contacts', { key: 'pk_unknown', headers })).status, 401);
  assert.equal((await server.get('/contacts', { key: '', headers })).status, 401);
  for (const authorization of ['Bearer no.such.token', 'Basic YTpi', ''])
    assert.equal((await server.get('/contacts', { key: null, headers: { ...headers, authorization } })).status, 401);
  assert.equal((await server.get('/session', { key: viewer, headers })).body.data, null);
  // A page of another origin with a key of its own is no attack.
  assert.equal(
    (await server.post('/contacts', {}, { headers: { cookie, origin: 'http://127.0.0.1:9999' } })).status,
    200,
  );
});

test('a log-in is refused when the browser says that another page sent it', async () => {
  const { credentials } = await aPerson(server);
  const { 'no browser at all': _, ...pages } = foreign;
  for (const [name, headers] of Object.entries(pages)) {
    const answer = await logIn(server, credentials, headers);
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [403, []], name);
  }
  for (const headers of [{}, ownPage, { origin: server.url }])
    assert.equal((await logIn(server, credentials, headers)).status, 200);
});

test('a log-in makes a new session, whatever cookie the browser already has', async () => {
  const { credentials } = await aPerson(server);
  const [name] = cookieOf(await logIn(server, credentials)).split('=');
  const planted = `${name}=${'A'.repeat(43)}`;
  const { cookie, page } = browserWith(await logIn(server, credentials, { cookie: planted, ...ownPage }));
  assert.notEqual(cookie, planted);
  assert.equal((await server.get('/contacts', withCookie(planted))).status, 401);
  const second = browserWith(await logIn(server, credentials, { cookie, ...ownPage }));
  assert.equal((await server.get('/contacts', page)).status, 401, 'the session that the browser had is over');
  assert.equal((await server.get('/contacts', second.page)).status, 200);
});

test("an attacker's session beside one's own counts for neither; any other cookie is ignored", async () => {
  const [mine, theirs] = [await aSession(server), await aSession(server)];
  const both = withCookie(`${theirs.cookie}; ${mine.cookie}`);
  assert.equal((await server.get('/contacts', both)).status, 401);
  const [name] = mine.cookie.split('=');
  const noise = withCookie(`${name}=; ${name}=nonsense; other=1; ${mine.cookie}; ${mine.cookie}`);
  assert.equal(dataOf(await server.get('/session', noise)).id, mine.id);
});

test('a copied cookie is dead after the log-out', async () => {
  const { page } = await aSession(server);
  assert.equal((await server.get('/contacts', page)).status, 200);
  const out = await server.del('/session', page);
  assert.equal(out.status, 200);
  assert.match(out.headers.get('set-cookie')!, /^parley_\w+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
  assert.equal((await server.get('/contacts', page)).status, 401);
  assert.equal((await server.get('/session', page)).body.data, null);
});

test('the cookie holds 256 random bits and is stored as a hash only', async () => {
  const answer = await logIn(server, (await aPerson(server)).credentials);
  const [cookie] = answer.headers.getSetCookie();
  assert.match(cookie!, /^parley_[0-9a-f]{12}=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
  const secret = cookieOf(answer).split('=')[1]!;
  const rows = await server.running.app.db.selectFrom('sessions').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(secret));
});

test('two servers on one machine share a cookie jar without logging each other out', async (t) => {
  const second = await startTestServer();
  t.after(() => second.stop());
  /** Cookies as a browser keeps them: by name, whatever the port. */
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map((pair) => pair.join('=')).join('; ');
  for (const each of [server, second]) {
    const answer = await logIn(each, (await aPerson(each)).credentials, { cookie: cookie(), ...ownPage });
    const [name, value] = cookieOf(answer).split('=');
    jar.set(name!, value!);
  }
  assert.equal(jar.size, 2);
  for (const each of [server, second]) assert.equal((await each.get('/contacts', withCookie(cookie()))).status, 200);
  // A page of one server has another origin for the other server.
  const { url } = second;
  const across = { key: null, headers: { cookie: cookie(), origin: url } };
  assert.equal((await server.post('/contacts', {}, across)).status, 403);
});

test('behind a trusted proxy its X-Forwarded-Host and X-Forwarded-Proto name the origin', async (t) => {
  const proxied = await startTestServer({ settings: { 'http.trusted_proxies': '["127.0.0.0/8", "::1/128"]' } });
  t.after(() => proxied.stop());
  const { cookie } = await aSession(proxied, 'admin');
  const from = async (origin: string, headers: Readonly<Record<string, string>>) =>
    (await proxied.post('/contacts', {}, { key: null, headers: { cookie, origin, ...headers } })).status;
  const forwarded = { 'x-forwarded-host': 'parley.lan', 'x-forwarded-proto': 'https' };
  assert.equal(await from('https://parley.lan', forwarded), 200);
  assert.equal(await from('http://parley.lan', forwarded), 403);
  assert.equal(await from('https://evil.example', forwarded), 403);
  assert.equal(await from(proxied.url, {}), 200);
});

test('a cookie whose name or value only resembles the session cookie opens nothing', async () => {
  const { cookie } = await aSession(server);
  const [name, value] = cookie.split('=') as [string, string];
  for (const lookalike of [
    `__Host-${cookie}`,
    `__Secure-${cookie}`,
    `x${cookie}`,
    `${name.toUpperCase()}=${value}`,
    `${name}[]=${value}`,
    `${name} =${value}`,
    `${name}==${value}`,
    `${name}="${value}"`,
    `${name}=${value}x`,
    `${name}=${value.slice(0, -1)}`,
    `${name}=${encodeURIComponent(`${value}\0`)}`,
  ]) {
    assert.equal((await server.get('/contacts', withCookie(lookalike))).status, 401, lookalike);
  }
});

test('a thousand other cookies do not hide the session; a header that is too long is a 431', async () => {
  const { cookie } = await aSession(server);
  const many = Array.from({ length: 1000 }, (_, index) => `c${index}=1`).join('; ');
  assert.equal((await server.get('/contacts', withCookie(`${many}; ${cookie}`))).status, 200);
  const [name] = cookie.split('=');
  assert.equal((await server.get('/contacts', withCookie(`${name}=${'A'.repeat(12_000)}`))).status, 401);
  assert.equal((await server.get('/contacts', withCookie(`${name}=${'A'.repeat(60_000)}`))).status, 431);
});

test('links with which a person sets a password name this server, whatever Host the request has', async () => {
  const { page } = await aSession(server, 'admin');
  for (const [index, headers] of [
    { host: 'evil.example' },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { forwarded: 'host=evil.example;proto=https' },
  ].entries()) {
    const invited = await requestWithHost(
      'POST',
      '/users',
      { ...page.headers, ...headers },
      {
        email: `host-${index}@example.com`,
        role: 'viewer',
      },
    );
    const again = await requestWithHost('POST', `/users/${invited.id}/link`, { ...page.headers, ...headers }, {});
    for (const { link } of [invited, again]) assert.ok(link.startsWith(`${server.url}/setup?token=`), link);
  }
});

/** fetch() sets `Host` by itself. */
async function requestWithHost(method: string, path: string, headers: Record<string, string>, body: object) {
  const sent = request(`${server.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  assert.equal(response.statusCode, 200, text);
  return (JSON.parse(text) as { data: { id: string; link: string } }).data;
}
