import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  type Client,
  type ClientOptions,
  createClient,
  createContact,
  deleteContact,
  iterate,
  listContacts,
  type LiveRequest,
  logIn,
  ParleyError,
  watchLive,
} from '../../clients/typescript/index.ts';

/** Servers that are broken, or mean harm: the client must neither wait forever nor execute anything twice. */

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Sent = { method: string; url: string; key: string | undefined; apiKey: string | undefined };

/** A server that answers its requests in turn as given, the last answer again and again, and a client of it. */
async function hostile(t: TestContext, answers: readonly Answer[], options: ClientOptions = {}) {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    sent.push({ method, url, key, apiKey: headers['x-api-key'] as string | undefined });
    request.resume();
    request.once('end', () => (answers[sent.length - 1] ?? answers.at(-1)!)(response, request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, apiKey: 'pk_secret', ...options }), sent, baseUrl };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const ok = json(200, { success: true, message: '', data: { id: '1' }, meta: { limit: 1, next: null } });
const cut: Answer = (response) => void response.destroy();
/** Promises more than it sends. */
const cutMidway: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"success":true,', () => response.destroy());
};
const silent: Answer = () => undefined;
/** Begins an answer and never ends it. */
const endless: Answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
const events =
  (text: string, isOpen = false): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (!isOpen) response.end();
  };
const anEvent = (n: number): string => `event: overview\ndata: ${JSON.stringify({ n })}\n\n`;
const bye = 'event: bye\ndata: {"reason":"gone"}\n\n';

test('an answer that never comes, or never ends, ends with an error', async (t) => {
  for (const answer of [silent, endless]) {
    const { client, sent } = await hostile(t, [answer], { timeoutMs: 50, retries: 1 });
    await assert.rejects(listContacts(client), /not complete within 0.05 s/);
    await assert.rejects(deleteContact(client, { params: { id: '1' } }), /not complete/);
    // On a slow machine the time may end before the request is sent.
    assert.ok(sent.filter(({ method }) => method === 'DELETE').length <= 1, 'it may have been executed');
  }
});

test('a cut answer is asked for again: with the same key if it may have changed something, else not at all', async (t) => {
  for (const answer of [cut, cutMidway]) {
    const { client, sent } = await hostile(t, [answer, ok]);
    await createContact(client, { body: { first_name: 'Ada' } });
    assert.deepEqual(
      sent.map(({ key }) => key),
      [sent[0]!.key, sent[0]!.key],
    );
    assert.match(sent[0]!.key!, /^[0-9a-f]{32}$/);
    const other = await hostile(t, [answer, ok]);
    await assert.rejects(deleteContact(other.client, { params: { id: '1' } }));
    assert.equal(other.sent.length, 1);
  }
});

test('no POST without a key is sent twice, whatever the server does', async (t) => {
  const body = { email: 'ada@example.com', password: 'correct horse battery staple' };
  const busy = [429, 502, 503, 504].map((status) => json(status, { success: false }, { 'retry-after': '0' }));
  for (const answer of [cut, cutMidway, silent, endless, ...busy]) {
    const { client, sent } = await hostile(t, [answer], { timeoutMs: 50 });
    await assert.rejects(logIn(client, { body }));
    await assert.rejects(createContact({ ...client, retries: 0 }, { body: {} }));
    assert.ok(sent.every(({ key }) => key === undefined));
    assert.equal(new Set(sent.map(({ url }) => url)).size, sent.length, JSON.stringify(sent));
  }
});

test('a redirect is not followed, so the API key goes nowhere else and a POST stays one', async (t) => {
  const elsewhere = await hostile(t, [ok]);
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `${elsewhere.baseUrl}/stolen`;
    const { client, sent } = await hostile(t, [(response) => void response.writeHead(status, { location }).end()]);
    await assert.rejects(createContact(client, { body: {} }), { status, message: new RegExp(location) });
    await assert.rejects(watchLive(client, { topic: ['overview'] }).next(), { status });
    assert.equal(sent.length, 2);
  }
  assert.deepEqual(elsewhere.sent, []);
});

test('answers that are not of parley are errors that say so', async (t) => {
  for (const text of ['<html>Log in to the hotel</html>', '', 'null', '17', '"ok"', '{']) {
    const { client } = await hostile(t, [(response) => void response.writeHead(200).end(text)]);
    await assert.rejects(listContacts(client), { name: 'ParleyError', status: 200, message: /Is this the address/ });
    await assert.rejects(watchLive(client, { topic: ['overview'] }).next(), { message: /Is this the address/ });
  }
  for (const text of ['<html>Bad gateway</html>', 'null', '[]', '{"message":null}']) {
    const { client } = await hostile(t, [(response) => void response.writeHead(500).end(text)]);
    await assert.rejects(listContacts(client), { name: 'ParleyError', status: 500, message: /answered 500/ });
  }
});

test('a pause that the server wants is kept within bounds, however it is written', async (t) => {
  for (const retryAfter of ['-5', '', 'tomorrow', 'NaN']) {
    const { client, sent } = await hostile(t, [json(503, { success: false }, { 'retry-after': retryAfter })], {
      retries: 1,
    });
    await assert.rejects(listContacts(client), { status: 503 });
    assert.equal(sent.length, 2, retryAfter);
  }
  for (const retryAfter of ['86400', 'Infinity', '1e308']) {
    const { client, sent } = await hostile(t, [json(429, { success: false }, { 'retry-after': retryAfter })]);
    await assert.rejects(listContacts(client), { status: 429 });
    assert.equal(sent.length, 1, retryAfter);
  }
});

async function walk(client: Client): Promise<number> {
  let count = 0;
  for await (const _ of iterate(client, listContacts, { query: { limit: 1 } })) count += 1;
  return count;
}
const page = (next: (after: string) => string | null, rows = 1): Answer => {
  return (response, request) => {
    const after = new URL(request.url!, 'http://parley.test').searchParams.get('after')!;
    const data = Array.from({ length: rows }, () => ({ id: '1' }));
    json(200, { success: true, message: '', data, meta: { limit: 1, next: next(after) } })(response, request);
  };
};

test('a list whose pages form a circle, or are empty, ends with an error, and an honest one at its end', async (t) => {
  for (const answer of [
    page(() => 'same'),
    page((after) => String((Number(after) + 1) % 7)),
    page((after) => (Number(after) < 20 ? String(Number(after) + 1) : '3')),
    page((after) => `${after}x`, 0),
  ]) {
    const { client, sent } = await hostile(t, [answer]);
    await assert.rejects(walk(client), /never end/);
    assert.ok(sent.length < 100, String(sent.length));
  }
  const honest = await hostile(t, [page((after) => (Number(after) < 40 ? String(Number(after) + 1) : null))]);
  assert.equal(await walk(honest.client), 41);
});

async function valuesOf(client: Client, request: Partial<LiveRequest> = {}): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { event, data } of watchLive(client, { topic: ['overview'], ...request }))
    values.push(data['n'] ?? event);
  return values;
}

test('a live stream is opened again after every kind of loss, and ends at a bye', async (t) => {
  const { client, sent } = await hostile(t, [
    events(anEvent(1)), // ends
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${anEvent(2)}event: over`, () => response.destroy()); // cut within an event
    },
    events(`${anEvent(3)}event: overview\ndata: {no json\n\n`, true),
    events(`${anEvent(4)}event: overview\ndata: null\n\n`, true),
    cut,
    events(`${anEvent(5)}event: bye\ndata: {"reason":"stopping"}\n\n`, true),
    events(`${anEvent(6)}${bye}`, true),
  ]);
  assert.deepEqual(await valuesOf(client), [1, 2, 3, 4, 5, 6, 'bye']);
  assert.equal(sent.length, 7);
  assert.ok(sent.every(({ method, apiKey }) => method === 'GET' && apiKey === 'pk_secret'));
});

test('a server that says nothing is asked again', async (t) => {
  for (const answer of [silent, endless503, events('', true), events(anEvent(1), true)]) {
    const { client } = await hostile(t, [answer, events(bye, true)]);
    assert.equal((await valuesOf(client, { maxSilenceMs: 500 })).at(-1), 'bye');
  }
});

const endless503: Answer = (response) =>
  void response.writeHead(503, { 'content-type': 'application/json' }).write('{"success":');

test('an event that never ends is given up before it fills the memory', async (t) => {
  const flood = events(`data: ${'x'.repeat(17 * 1024 * 1024)}`, true);
  const { client } = await hostile(t, [flood, events(bye, true)]);
  assert.deepEqual(await valuesOf(client), ['bye']);
});

test('an abort ends a watch at once, whatever it waits for', async (t) => {
  for (const answer of [silent, endless503, events(anEvent(1), true), json(503, {}, { 'retry-after': '10' })]) {
    const aborting = new AbortController();
    const { client } = await hostile(t, [
      (response, request) => {
        answer(response, request);
        setImmediate(() => aborting.abort());
      },
    ]);
    const values = await valuesOf(client, { signal: aborting.signal });
    assert.ok(values.length <= 1);
  }
});

test('ParleyError keeps what the server said', async (t) => {
  const body = { success: false, message: 'No.', code: 'CONFLICT', details: [{ path: 'a', message: 'b' }] };
  const { client } = await hostile(t, [json(409, body, { 'x-request-id': 'r1' })]);
  const error = await createContact(client, { body: {} }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ParleyError);
  const { status, message, code, details, requestId } = error;
  assert.deepEqual([status, message, code, details, requestId], [409, 'No.', 'CONFLICT', body.details, 'r1']);
});
