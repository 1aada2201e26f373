import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { createOutbound } from '../../../src/base/outbound/client.ts';
import { ca, client, failure, fakeResolver, serve, serveRaw, watchConnections } from './support.ts';

const strict = { allowNetworks: [], allowHttpLoopback: false };
const loopback = { allowNetworks: [], allowHttpLoopback: true };
/** Makes 127.0.0.1, and nothing else, stand in for a public address. */
const one = { allowNetworks: ['127.0.0.1/32'], allowHttpLoopback: false };

const ok = (response: ServerResponse): unknown => response.end('ok');
const post = { body: '{}', timeoutMs: 30_000 };

const attempted = watchConnections();
after(() => {
  assert.ok(attempted.length > 0, 'the watch sees connections');
  assert.deepEqual(
    attempted.filter((address) => address !== '127.0.0.1' && address !== '::1'),
    [],
  );
});

test('a request arrives as it was given and its answer comes back', async (t) => {
  const server = await serve(t, (response) => response.writeHead(201, { 'X-Thing': 'a' }).end('grüße'));
  const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/hook/a?b=c#d`, {
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: Buffer.from('{"ü":1}'),
    timeoutMs: 30_000,
  });
  assert.equal(answer.statusCode, 201);
  assert.equal(answer.headers['x-thing'], 'a');
  assert.equal(answer.responseStart, 'grüße');
  assert.ok(Number.isInteger(answer.durationMs));
  assert.equal(server.seen.length, 1);
  const [seen] = server.seen;
  assert.equal(seen?.method, 'POST');
  assert.equal(seen?.url, '/hook/a?b=c');
  assert.equal(seen?.body, '{"ü":1}');
  assert.equal(seen?.headers['webhook-id'], 'msg_1');
  assert.equal(seen?.headers['content-length'], '8');
  assert.equal(seen?.headers.host, `127.0.0.1:${server.port}`);
});

test('requests share connections', async (t) => {
  const server = await serve(t, ok);
  const outbound = client(t, { policy: loopback });
  for (let i = 0; i < 10; i += 1) await outbound.post(`http://127.0.0.1:${server.port}/`, post);
  assert.equal(server.seen.length, 10);
  // undici lets a socket rest for one turn of the event loop after a response, so two take turns.
  assert.ok(server.connections() <= 2, `${server.connections()} connections`);
});

test('[::1] and localhost are reached by http when loopback is allowed', async (t) => {
  const six = await serve(t, ok, { host: '::1' });
  const four = await serve(t, ok);
  const { resolver } = fakeResolver({ localhost: [['127.0.0.1']] });
  const outbound = client(t, { policy: loopback, resolver });
  assert.equal((await outbound.post(`http://[::1]:${six.port}/`, post)).statusCode, 200);
  assert.equal((await outbound.post(`http://localhost:${four.port}/`, post)).statusCode, 200);
});

test('a literal address that is not public is refused before anything connects', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const outbound = client(t, { policy: strict, ca });
  const before = attempted.length;
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '[::1]',
    '10.0.0.1',
    'localhost',
  ]) {
    const error = await failure(outbound.post(`https://${host}:${server.port}/`, post));
    assert.equal(error.reason, 'refused_address', host);
    assert.match(error.message, /^The URL .+\.$/);
  }
  for (const url of [
    `http://127.0.0.1:${server.port}/`,
    'http://hook.test/',
    'https://a:b@hook.test/',
    'ftp://hook.test/',
    'nonsense',
  ]) {
    assert.equal((await failure(outbound.post(url, post))).reason, 'refused_address', url);
  }
  assert.equal(server.connections(), 0);
  assert.equal(attempted.slice(before).length, 0);
});

test('a name that resolves to addresses that are not public is refused before anything connects', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const { resolver, asked } = fakeResolver({
    'private.test': [['10.0.0.1', '192.168.0.1']],
    'loop.test': [['127.0.0.1', '::1']],
    'mapped.test': [['::ffff:127.0.0.1']],
    'compatible.test': [['::7f00:1']],
    'metadata.test': [['169.254.169.254', 'fd00:ec2::254']],
    'nat64.test': [['64:ff9b::7f00:1']],
    'garbage.test': [['not an address']],
    '127.0.0.1.test': [['0.0.0.0']],
  });
  const outbound = client(t, { policy: strict, resolver, ca });
  const before = attempted.length;
  const names = ['private', 'loop', 'mapped', 'compatible', 'metadata', 'nat64', 'garbage', '127.0.0.1'].map(
    (name) => `${name}.test`,
  );
  for (const name of names) {
    const error = await failure(outbound.post(`https://${name}:${server.port}/`, post));
    assert.equal(error.reason, 'refused_address', name);
    assert.equal(error.message, `Nothing was sent: ${name} is not at a public address.`);
  }
  assert.deepEqual(asked, names);
  assert.equal(server.connections(), 0);
  assert.equal(attempted.slice(before).length, 0);
});

test('of several addresses only the permitted ones are connected to', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const { resolver } = fakeResolver({ 'hook.test': [['10.0.0.1', '::1', '127.0.0.1', '169.254.169.254']] });
  const answer = await client(t, { policy: one, resolver, ca }).post(`https://hook.test:${server.port}/`, post);
  assert.equal(answer.statusCode, 200);
  assert.equal(server.seen[0]?.headers.host, `hook.test:${server.port}`, 'the name stays in the Host header');
});

test('a name that is rebound to an inner address is resolved once per connection and refused at the next', async (t) => {
  const server = await serve(t, (response) => response.writeHead(200, { connection: 'close' }).end(), { secure: true });
  const { resolver, asked } = fakeResolver({ 'hook.test': [['127.0.0.1'], ['127.0.0.2', '::1'], ['127.0.0.1']] });
  const outbound = client(t, { policy: one, resolver, ca });
  const url = `https://hook.test:${server.port}/`;
  assert.equal((await outbound.post(url, post)).statusCode, 200);
  assert.equal(asked.length, 1);
  assert.equal((await failure(outbound.post(url, post))).reason, 'refused_address');
  assert.equal(asked.length, 2);
  assert.equal(server.seen.length, 1);
  assert.equal((await outbound.post(url, post)).statusCode, 200, 'a refusal does not stick');
});

test('the exception for loopback test hosts does not reach other names', async (t) => {
  const server = await serve(t, ok);
  const { resolver } = fakeResolver({ 'hook.test': [['127.0.0.1']], localhost: [['10.0.0.1'], ['127.0.0.1']] });
  const outbound = client(t, { policy: loopback, resolver });
  assert.equal((await failure(outbound.post(`https://hook.test:${server.port}/`, post))).reason, 'refused_address');
  assert.equal((await failure(outbound.post(`http://localhost:${server.port}/`, post))).reason, 'refused_address');
  assert.equal((await outbound.post(`http://localhost:${server.port}/`, post)).statusCode, 200);
});

test('a redirect is an answer and is not followed', async (t) => {
  const inner = await serve(t, ok);
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://127.0.0.1:${inner.port}/inner`;
    const server = await serve(t, (response) => response.writeHead(status, { location }).end());
    const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, post);
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers.location, location);
  }
  assert.equal(inner.connections(), 0);
});

test('the first 4 KiB of a response are kept', async (t) => {
  const server = await serve(t, (response) => response.end('x'.repeat(4095) + 'é' + 'y'.repeat(10_000)));
  const outbound = client(t, { policy: loopback });
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal((await outbound.post(url, post)).responseStart, 'x'.repeat(4095), 'a character that is cut is left out');
  assert.equal((await outbound.post(url, { ...post, keepBytes: 4097 })).responseStart, 'x'.repeat(4095) + 'é');
  assert.equal((await outbound.post(url, { ...post, keepBytes: 0 })).responseStart, '');
});

test('bytes that are not UTF-8 are replaced', async (t) => {
  const server = await serve(t, (response) => response.end(Buffer.from([0x61, 0xff, 0x62, 0xc3])));
  const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, post);
  assert.equal(answer.responseStart, 'a\ufffdb\ufffd');
});

test('an endless response is cut off at its limit and counts with its status', async (t) => {
  const hungUp = Promise.withResolvers<void>();
  let written = 0;
  const server = await serve(t, (response) => {
    const pour = (): void => {
      do written += 1024;
      while (response.write('z'.repeat(1024)));
    };
    response.on('drain', pour).on('close', hungUp.resolve);
    pour();
  });
  const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, post);
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.responseStart, 'z'.repeat(4096));
  await hungUp.promise;
  assert.ok(written >= 64 * 1024);
});

test('a response that reaches the limit and then hangs is complete', async (t) => {
  const server = await serve(t, (response) => response.write('z'.repeat(100)));
  const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, {
    ...post,
    maxResponseBytes: 100,
  });
  assert.equal(answer.responseStart.length, 100);
});

test('a server that never answers times out and is hung up on', async (t) => {
  const hungUp = Promise.withResolvers<void>();
  const server = await serve(t, (response) => response.on('close', hungUp.resolve));
  const error = await failure(
    client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, { timeoutMs: 300 }),
  );
  assert.equal(error.reason, 'timeout');
  assert.equal(error.statusCode, null);
  assert.ok(Number.isInteger(error.durationMs));
  await hungUp.promise;
});

test('a body that trickles or stops does not outlast the time-out', async (t) => {
  const stopped = await serve(t, (response) => response.write('a'));
  const trickling = await serve(t, (response) => {
    const drip = setInterval(() => response.write('a'), 10);
    response.on('close', () => clearInterval(drip));
  });
  const outbound = client(t, { policy: loopback });
  for (const { port } of [stopped, trickling]) {
    const error = await failure(outbound.post(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 }));
    assert.equal(error.reason, 'timeout');
    assert.equal(error.statusCode, 200);
    assert.equal(error.message, `127.0.0.1:${port} answered 200, but the response had not ended after 1 s.`);
  }
});

test('interim responses without end are not an answer', async (t) => {
  const port = await serveRaw(t, (socket) => {
    socket.once('data', () => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
  });
  const error = await failure(client(t, { policy: loopback }).post(`http://127.0.0.1:${port}/`, { timeoutMs: 500 }));
  assert.deepEqual([error.reason, error.statusCode], ['timeout', null]);
});

test('a resolver that never answers, and a handshake that never ends, time out too', async (t) => {
  const mute = await serveRaw(t, () => undefined);
  const outbound = client(t, {
    policy: one,
    resolver: (name, _options, callback) => void (name === 'never' && callback(null, [])),
  });
  for (const url of ['https://hook.test/', `https://127.0.0.1:${mute}/`]) {
    const error = await failure(outbound.post(url, { timeoutMs: 100 }));
    assert.equal(error.reason, 'timeout');
    assert.match(error.message, /^No connection to .+ came about within 0.1 s\.$/);
  }
});

test('a request that timed out while it waited for its connection is never sent', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const lookups: (() => void)[] = [];
  const outbound = client(t, {
    policy: one,
    ca,
    resolver: (_name, _options, callback) => {
      const answer = (): void => callback(null, [{ address: '127.0.0.1', family: 4 }]);
      if (lookups.push(answer) > 1) answer();
    },
  });
  const url = `https://hook.test:${server.port}/`;
  assert.equal((await failure(outbound.post(`${url}late`, { timeoutMs: 50 }))).reason, 'timeout');
  lookups[0]?.();
  await outbound.post(`${url}next`, post);
  assert.deepEqual(
    server.seen.map((request) => request.url),
    ['/next'],
  );
});

test('answers that are not HTTP are protocol errors', async (t) => {
  const outbound = client(t, { policy: loopback });
  const headers = `X-Long: ${'x'.repeat(1000)}\r\n`.repeat(40);
  for (const garbage of [
    '220 mail.example ESMTP\r\n',
    '\u0000\u0001\u0002',
    'HTTP/1.1 abc\r\n\r\n',
    `HTTP/1.1 200 OK\r\n${headers}\r\n`,
  ]) {
    const port = await serveRaw(t, (socket) => socket.once('data', () => socket.write(garbage)));
    const error = await failure(outbound.post(`http://127.0.0.1:${port}/`, post));
    assert.equal(error.reason, 'protocol', garbage.slice(0, 20));
    assert.match(error.message, /^The exchange with 127\.0\.0\.1:\d+ is not valid HTTP: .+\.$/);
  }
});

test('connections that are refused or break are connect errors', async (t) => {
  const outbound = client(t, { policy: loopback });
  const broken = await serveRaw(t, (socket) => socket.once('data', () => socket.destroy()));
  const halfway = await serveRaw(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
  );
  assert.equal((await failure(outbound.post(`http://127.0.0.1:${broken}/`, post))).reason, 'connect');
  const half = await failure(outbound.post(`http://127.0.0.1:${halfway}/`, post));
  assert.deepEqual([half.reason, half.statusCode], ['connect', 200]);

  const closing = createOutbound({ policy: loopback });
  const gone = await serveRaw(t, (socket: Socket) => socket.destroy());
  assert.equal((await failure(closing.post(`http://127.0.0.1:${gone}/`, post))).reason, 'connect');
  await closing.close();
  const refused = await failure(outbound.post('http://127.0.0.1:1/', post));
  assert.equal(refused.reason, 'connect');
  assert.match(refused.message, /^Could not connect to 127\.0\.0\.1:1: .*ECONNREFUSED.*\.$/);
});

test('a name tried at several addresses names every failure', async (t) => {
  const { resolver } = fakeResolver({ localhost: [['::1', '127.0.0.1']] });
  const error = await failure(client(t, { policy: loopback, resolver }).post('http://localhost:1/', post));
  assert.equal(error.reason, 'connect');
  assert.match(error.message, /::1:1; .*127\.0\.0\.1:1\.$/);
});

test('names that do not resolve are dns errors', async (t) => {
  const { resolver } = fakeResolver({ 'empty.test': [[]] });
  const outbound = client(t, { policy: strict, resolver });
  for (const name of ['unknown.test', 'empty.test']) {
    const error = await failure(outbound.post(`https://${name}/`, post));
    assert.equal(error.reason, 'dns');
    assert.match(error.message, new RegExp(`^The name ${name} could not be resolved: .+\\.$`));
  }
});

test('TLS is checked: an unknown authority, another name and plain text are tls errors', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const plain = await serve(t, ok);
  const { resolver } = fakeResolver({ 'hook.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] });
  const trusting = client(t, { policy: one, resolver, ca });
  const unknown = await failure(client(t, { policy: one, resolver }).post(`https://hook.test:${server.port}/`, post));
  assert.equal(unknown.reason, 'tls');
  assert.equal((await failure(trusting.post(`https://other.test:${server.port}/`, post))).reason, 'tls');
  assert.equal((await failure(trusting.post(`https://hook.test:${plain.port}/`, post))).reason, 'tls');
  assert.equal(server.seen.length + plain.seen.length, 0);
  assert.equal((await trusting.post(`https://hook.test:${server.port}/`, post)).statusCode, 200);
  assert.equal((await trusting.post(`https://127.0.0.1:${server.port}/`, post)).statusCode, 200);
});

test('an additional authority must be a PEM certificate', () => {
  assert.throws(() => createOutbound({ policy: strict, ca: 'nonsense' }), TypeError);
});

test('a signal gives a request up, before and after it was sent', async (t) => {
  const controller = new AbortController();
  const server = await serve(t, () => controller.abort());
  const outbound = client(t, { policy: loopback });
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal((await failure(outbound.post(url, { ...post, signal: controller.signal }))).reason, 'aborted');
  assert.equal((await failure(outbound.post(url, { ...post, signal: controller.signal }))).reason, 'aborted');
  assert.equal(server.seen.length, 1);
});

test('one signal may serve many requests', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const server = await serve(t, ok);
  const outbound = client(t, { policy: loopback });
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 50 }, () => outbound.post(`http://127.0.0.1:${server.port}/`, { ...post, signal })),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(warnings, []);
});

test('closing gives up what is in flight and what comes later', async (t) => {
  const asked = Promise.withResolvers<void>();
  const server = await serve(t, () => asked.resolve());
  const outbound = createOutbound({ policy: loopback });
  const url = `http://127.0.0.1:${server.port}/`;
  const inFlight = failure(outbound.post(url, post));
  await asked.promise;
  await outbound.close();
  assert.equal((await inFlight).reason, 'aborted');
  assert.equal((await failure(outbound.post(url, post))).reason, 'aborted');
});

test('a hanging URL does not keep another of its origin waiting', async (t) => {
  const hanging: ServerResponse[] = [];
  const allHang = Promise.withResolvers<void>();
  const server = await serve(t, (response, { url }) => {
    if (url === '/go') response.end();
    else if (hanging.push(response) === 20) allHang.resolve();
  });
  const outbound = client(t, { policy: loopback });
  const url = `http://127.0.0.1:${server.port}`;
  const waiting = Array.from({ length: 20 }, () => outbound.post(`${url}/hang`, post));
  await allHang.promise;
  assert.equal((await outbound.post(`${url}/go`, post)).statusCode, 200);
  for (const response of hanging) response.end();
  await Promise.all(waiting);
});

test('without the guard, addresses that the operator configured are reached by any method', async (t) => {
  const server = await serve(t, ok);
  const { resolver } = fakeResolver({ 'calendar.internal': [['127.0.0.1']] });
  const outbound = client(t, { guard: false, resolver });
  const answer = await outbound.request(`http://calendar.internal:${server.port}/v2/me`, {
    method: 'GET',
    timeoutMs: 30_000,
  });
  assert.equal(answer.responseStart, 'ok');
  assert.equal(server.seen[0]?.method, 'GET');
  assert.equal((await outbound.post(`http://127.0.0.1:${server.port}/`, post)).statusCode, 200);
  assert.equal((await failure(outbound.post('ftp://calendar.internal/', post))).reason, 'refused_address');
});
