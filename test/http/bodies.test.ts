import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { faultPaths, startTestServer, type TestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

test('a body without credentials may have 4 KiB', async () => {
  const login = (bytes: number) =>
    server.post('/auth/login', `{"email":"a@example.com","password":"wrong word"${' '.repeat(bytes - 49)}}`, {
      key: null,
    });
  assert.equal((await login(4096)).status, 401);
  assert.equal((await login(4097)).status, 413);
});

test('JSON with too many values is refused before it is validated, and nothing else is named', async () => {
  const zeros = (count: number) => `{"tags":[${'0,'.repeat(count - 3)}0]}`;
  const many = await server.post('/contacts/', zeros(200_001));
  assert.deepEqual(many.body.details, [{ path: '', message: 'The body contains more than 200000 values.' }]);
  assert.deepEqual(faultPaths(await server.post('/contacts/', zeros(200_000))), ['tags']);
  const contacts = `/campaigns/${randomUUID()}/contacts`;
  const large = await server.post(contacts, zeros(500_001));
  assert.deepEqual(large.body.details, [{ path: '', message: 'The body contains more than 500000 values.' }]);
  assert.deepEqual(faultPaths(await server.post(contacts, zeros(500_000))), ['tags']);
});

const notObjects = ['1e400', '-0', '9223372036854775808', '1.0', '-1e400', '"text"', '[]', 'true'];

test('metadata that is a number, or anything else but an object, is refused', async () => {
  for (const value of notObjects) {
    const body = `{"metadata":${value}}`;
    assert.deepEqual(faultPaths(await server.post('/contacts/', body)), ['metadata'], value);
    for (const path of ['/calls', '/rag/document', '/calendar/bookings']) {
      const answer = await server.post(path, body, { bearer: true });
      assert.ok(faultPaths(answer).includes('metadata'), `${path} ${value}`);
    }
  }
});

test('metadata may have 64 KiB of JSON', async () => {
  const padded = (bytes: number) => `{"metadata":{"pad":"${'é'.repeat((bytes - 10) / 2)}"}}`;
  assert.equal((await server.post('/contacts/', padded(65_536))).status, 200);
  const over = await server.post('/contacts/', padded(65_538));
  assert.deepEqual(over.body.details, [{ path: 'metadata', message: 'must have at most 64 KiB of JSON' }]);
});

test('metadata is returned as it was sent, with spaces, escapes and repeated keys', async () => {
  const text = '{ "a" : [1.0,\t2e3 ], "\\u0061":"\\u00e9\\/", "a":{"metadata":{"metadata":1}} }';
  const created = await server.post('/contacts/', `{"\\u006detadata":{"replaced":true},"metadata" :${text}}`);
  assert.ok(created.text.includes(`"metadata":${text},`), created.text);
  assert.ok((await server.get(`/contacts/${created.body.data.id}`)).text.includes(`"metadata":${text},`));
  assert.ok((await server.get('/contacts/?limit=1')).text.includes(`"metadata":${text},`));
});

/** Sends the head and the start of a body that never ends. */
function hold(to: TestServer, key: string, start: string): Promise<Socket> {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  const head = `POST /api/v1/contacts/ HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`;
  return new Promise((resolve) => {
    socket.write(`${head}Content-Length: ${start.length + 1}\r\nExpect: 100-continue\r\n\r\n`);
    socket.once('data', () => socket.write(start, () => resolve(socket)));
  });
}

const continued = 'HTTP/1.1 100 Continue\r\n\r\n';

test('the bodies of one organization take at most half of the memory for bodies, and free it when they end', async () => {
  const small = await startTestServer({ settings: { 'http.body_limits.in_memory': '100000' } });
  const start = `{"metadata":{"pad":"${'x'.repeat(30_000)}`;
  let held = await hold(small, small.apiKey, start);
  try {
    const body = { metadata: { pad: 'x'.repeat(30_000) } };
    let refused = await small.post('/contacts/', body);
    // Try until the held bytes have arrived. They are refused themselves if they arrive while the other body is there.
    while (refused.status === 200) {
      if (held.bytesRead > continued.length) {
        held.destroy();
        held = await hold(small, small.apiKey, start);
      }
      refused = await small.post('/contacts/', body);
    }
    assert.deepEqual([refused.status, refused.body.code], [503, 'UNAVAILABLE']);
    assert.equal(refused.headers.get('retry-after'), '1');
    const other = await small.newOrganization();
    assert.equal((await other.post('/contacts/', body)).status, 200);
    held.destroy();
    while ((await small.post('/contacts/', body)).status !== 200); // try until the server has noticed the end
  } finally {
    held.destroy();
    await small.stop();
  }
});

/** White space that makes a body large enough to be validated in the thread for large bodies. */
const pad = ' '.repeat(300_000);

test('a large body is validated like a small one', async () => {
  const small = '{"metadata":{"a": 1.0},"email":"x","colour":1,"phone":"+4930901820"';
  const faults = (await server.post('/contacts/', `${small}}`)).body.details;
  assert.deepEqual((await server.post('/contacts/', `${small}${pad}}`)).body.details, faults);
  const created = await server.post('/contacts/', `{"metadata":{"a": 1.0}${pad}}`);
  assert.ok(created.text.includes('"metadata":{"a": 1.0},'), created.text);
  const broken = await server.post('/contacts/', `{"a":${pad}}`);
  assert.match(broken.body.message, /not valid JSON/);
  const agent = await server.post('/agents/', `{"agent_name":"","webhook_urls":["http://example.com/",5]${pad}}`);
  assert.deepEqual(faultPaths(agent), ['agent_name', 'model', 'voiceId', 'webhook_urls[0]', 'webhook_urls[1]']);
});
