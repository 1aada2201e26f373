import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { AppError, type ErrorKind } from '../../src/base/errors.ts';
import type { Queryable } from '../../src/db/transaction.ts';
import { createHealth } from '../../src/http/health.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { bind, operation } from '../../src/kernel/route.ts';
import { object, Type } from '../../src/kernel/schema.ts';
import { aContact, aNumber } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { failOnInsert } from '../support/both-stores.ts';
import { onSqlite } from '../support/store.ts';

const server = await startTestServer();
after(() => server.stop());

const text = { 'content-type': 'text/plain' };
const tooMuch = `{"metadata":{"pad":"${'x'.repeat(1024 * 1024)}"}}`;

test('a request is checked for path, method, caller, role, content type, size, content and then existence', async () => {
  const viewer = await server.keyWithRole('viewer');
  const path = `/contacts/${randomUUID()}`;
  const statusOf = async (...request: Parameters<typeof server.request>) => (await server.request(...request)).status;
  const everythingWrong = { body: tooMuch, headers: text, key: null };
  assert.equal(await statusOf('PUT', '/nowhere', everythingWrong), 404);
  assert.equal(await statusOf('PUT', path, everythingWrong), 405);
  assert.equal(await statusOf('PATCH', path, everythingWrong), 401);
  assert.equal(await statusOf('PATCH', path, { ...everythingWrong, key: viewer }), 403);
  assert.equal(await statusOf('PATCH', path, { body: tooMuch, headers: text }), 415);
  assert.equal(await statusOf('PATCH', path, { body: tooMuch }), 413);
  assert.equal(await statusOf('PATCH', path, { body: { email: 'x' } }), 400);
  assert.equal(await statusOf('PATCH', '/contacts/no-uuid', { body: { email: 'x' } }), 400);
  assert.equal(await statusOf('PATCH', '/contacts/no-uuid', { body: {} }), 404);
  assert.equal(await statusOf('PATCH', path, { body: {} }), 404);
});

test('an operation that is not possible now answers 409 and says why', async () => {
  const { phone } = await aNumber(server);
  const again = await server.post('/phone-numbers/import', { phone, termination_uri: 'sip.example.com' });
  assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
  assert.match(again.body.message, /is already active; release it before/);
});

test('the long name of an unknown field is cut in the answer', async () => {
  for (const body of [{ ['k'.repeat(500_000)]: 1 }, { contacts: [{ ['k'.repeat(500_000)]: 1 }] }]) {
    const { status, body: answer } = await server.post(
      'contacts' in body ? `/campaigns/${randomUUID()}/contacts` : '/contacts',
      body,
    );
    assert.equal(status, 400);
    const prefix = 'contacts' in body ? 'contacts[0].' : '';
    assert.deepEqual(answer.details, [{ path: `${prefix}${'k'.repeat(200)}…`, message: 'is not a known field' }]);
  }
});

/** A server whose routes fail in every possible way. */
async function failing(throwing: () => unknown) {
  const health = createHealth();
  health.set({ status: 'ready' });
  const routes = [
    bind(
      operation({
        operationId: 'fail',
        tag: 'Test',
        summary: 'Fail',
        data: object({ answer: Type.String() }),
        message: 'Never said.',
        handle: () => Promise.resolve({ data: throwing() as { answer: string } }),
      }),
      { method: 'GET', path: '/api/v1/fail', access: 'public', role: 'viewer' },
    ),
  ];
  const web = createHttpServer(server.running.app, { routes, health, checkAnswers: true });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/fail`, { headers: { 'x-request-id': 'seven' } });
  const body = (await response.json()) as Record<string, unknown>;
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
  return { status: response.status, headers: response.headers, body };
}

const fail = (error: unknown) =>
  failing(() => {
    throw error;
  });

test('an unexpected error answers 500 with the request id and without internals', async () => {
  const answers = [await fail(new TypeError('secret of the house')), await failing(() => ({ answer: 42 }))];
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body['code'], body['success']], [500, 'INTERNAL_ERROR', false]);
    assert.match(String(body['message']), /seven/);
    assert.doesNotMatch(JSON.stringify(body), /secret|TypeError|schema|\.ts/);
    assert.equal(headers.get('x-request-id'), 'seven');
  }
});

test('every kind of error has its status and code', async () => {
  const table: Record<ErrorKind, [number, string | undefined]> = {
    invalid: [400, 'INVALID_REQUEST'],
    unauthenticated: [401, undefined],
    forbidden: [403, 'FORBIDDEN'],
    not_found: [404, 'NOT_FOUND'],
    method_not_allowed: [405, 'METHOD_NOT_ALLOWED'],
    request_timeout: [408, 'REQUEST_TIMEOUT'],
    conflict: [409, 'CONFLICT'],
    not_connected: [409, 'NOT_CONNECTED'],
    idempotency_in_progress: [409, 'IDEMPOTENCY_IN_PROGRESS'],
    precondition_failed: [412, 'PRECONDITION_FAILED'],
    too_large: [413, 'PAYLOAD_TOO_LARGE'],
    unsupported_media_type: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    expectation_failed: [417, 'EXPECTATION_FAILED'],
    idempotency_mismatch: [422, 'IDEMPOTENCY_MISMATCH'],
    rate_limited: [429, 'RATE_LIMITED'],
    headers_too_large: [431, 'HEADERS_TOO_LARGE'],
    internal: [500, 'INTERNAL_ERROR'],
    provider: [502, 'PROVIDER_ERROR'],
    unavailable: [503, 'UNAVAILABLE'],
  };
  for (const [kind, [status, code]] of Object.entries(table)) {
    const answer = await fail(new AppError(kind as ErrorKind, 'Said so.', { headers: { 'Retry-After': '7' } }));
    assert.deepEqual([answer.status, answer.body['code']], [status, code], kind);
    assert.equal(answer.headers.get('retry-after'), '7');
    if (kind !== 'internal') assert.equal(answer.body['message'], 'Said so.');
  }
  const codeless = await fail(new AppError('not_found', 'No such account.', { codeless: true }));
  assert.deepEqual(codeless.body, { success: false, message: 'No such account.' });
});

/** Forbids the database to grow, which SQLite reports like a full disk. PostgreSQL is made to say so. */
async function fillDisk(t: TestContext, db: Queryable): Promise<() => Promise<void>> {
  if (!onSqlite) return failOnInsert(t, db, { table: 'contacts' }, 'disk_full');
  const allow = async (pages: number): Promise<void> =>
    void (await sql`PRAGMA max_page_count = ${sql.lit(pages)}`.execute(db));
  await allow(1);
  return () => allow(1_073_741_823);
}

test('while the storage refuses writes, writes answer 503 and reads still work', async (t) => {
  const full = await startTestServer();
  try {
    const { db } = full.running.app;
    const contact = await aContact(full);
    const freshKey = await full.keyWithRole('viewer');
    const emptyDisk = await fillDisk(t, db);
    let refused = await full.post('/contacts/', { metadata: { pad: 'x'.repeat(60_000) } });
    for (let count = 0; refused.status === 200 && count < 200; count++) {
      refused = await full.post('/contacts/', { metadata: { pad: 'x'.repeat(60_000) } });
    }
    assert.deepEqual([refused.status, refused.body.code], [503, 'UNAVAILABLE']);
    assert.match(refused.body.message, /storage/);
    assert.equal(dataOf(await full.get(`/contacts/${contact.id}`)).id, contact.id);
    // The first use of a key is recorded; failing to do so must not prevent a read.
    assert.equal((await full.get('/contacts/', { key: freshKey })).status, 200);
    await emptyDisk();
    assert.equal((await full.post('/contacts/', { metadata: { pad: 'x'.repeat(60_000) } })).status, 200);
  } finally {
    await full.stop();
  }
});

/** Uses a new connection, because a draining server may close an idle one just as the request is sent. */
const getAfresh = (url: string) =>
  new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const request = http.get(url, { agent: false }, async (response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of response) chunks.push(chunk as Uint8Array);
      resolve({
        status: response.statusCode!,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      });
    });
    request.on('error', reject);
  });

test('a stopping server finishes running requests and answers new ones with 503', async () => {
  const stopping = await startTestServer();
  const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1').setEncoding('utf8');
  let heard = '';
  const isUnderWay = Promise.withResolvers<void>();
  socket.on('data', (chunk: string) => {
    heard += chunk;
    if (heard.includes('100 Continue')) isUnderWay.resolve();
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const body = '{"first_name":"Ada"}';
  const head = ['POST /api/v1/contacts/ HTTP/1.1', 'Host: x', `X-Api-Key: ${stopping.apiKey}`, 'Expect: 100-continue'];
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`, '', ''];
  socket.write([...head, ...type].join('\r\n'));
  await isUnderWay.promise;
  const stopped = stopping.running.stop();
  for (const path of ['/ready', '/ready/']) {
    const ready = await getAfresh(stopping.url + path);
    assert.deepEqual(
      [ready.status, ready.body['status'], Object.keys(ready.body)],
      [503, 'draining', ['status', 'reason']],
    );
  }
  assert.equal((await getAfresh(`${stopping.url}/livez`)).status, 200);
  const refused = await getAfresh(`${stopping.url}/api/v1/contacts/`);
  assert.deepEqual([refused.status, refused.body['code']], [503, 'UNAVAILABLE']);
  socket.write(body);
  await closed;
  assert.match(heard, /HTTP\/1\.1 200 OK[^]*"first_name":"Ada"/);
  await stopped;
  await assert.rejects(getAfresh(`${stopping.url}/ready`));
});

test('a parameter that is repeated thousands of times is refused without delaying others, also without a key', async () => {
  for (const path of [`/session?${'q=a&'.repeat(3500)}`, `/live?${'topic=overview&'.repeat(900)}`]) {
    assert.equal((await server.get(path)).status, 400);
  }
  const metrics = await server.get('//metrics');
  const operations = ['getSession', 'watchLive'];
  const blocked = metrics.text.split('\n').filter((line) => line.startsWith('parley_main_thread_blocked_total{'));
  assert.deepEqual(
    blocked.filter((line) => operations.some((name) => line.includes(name))),
    [],
  );
});

test('a repeated parameter is a fault where one value is expected, whatever its name', async () => {
  const answer = await server.get('/contacts?q=a&q=b&__proto__=1&__proto__=2');
  assert.deepEqual(faultPaths(answer), ['__proto__', 'q']);
});
