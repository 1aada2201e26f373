// Own process: it watches all connections of its process.
import assert from 'node:assert/strict';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createOutbound } from '../../../src/base/outbound/client.ts';
import { ca, client, failure, fakeResolver, serve, serveRaw, watchConnections } from './support.ts';

const strict = { allowNetworks: [], allowHttpLoopback: false };
const loopback = { allowNetworks: [], allowHttpLoopback: true };
/** A policy that treats 127.0.0.1 like a public address. */
const onlyLocalhost = { allowNetworks: ['127.0.0.1/32'], allowHttpLoopback: false };

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

test('a request arrives unchanged and its response comes back', async (t) => {
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

test('sequential requests share connections', async (t) => {
  const server = await serve(t, ok);
  const outbound = client(t, { policy: loopback });
  for (let i = 0; i < 10; i += 1) await outbound.post(`http://127.0.0.1:${server.port}/`, post);
  assert.equal(server.seen.length, 10);
  // undici does not reuse a socket in the same tick of the event loop, so two sockets alternate.
  assert.ok(server.connections() <= 2, `${server.connections()} connections`);
});

test('http to [::1] and localhost works when loopback is allowed', async (t) => {
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
  const { resolver, lookups } = fakeResolver({
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
  assert.deepEqual(lookups, names);
  assert.equal(server.connections(), 0);
  assert.equal(attempted.slice(before).length, 0);
});

test('when a name has several addresses, only the permitted ones are tried', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const { resolver } = fakeResolver({ 'hook.test': [['10.0.0.1', '::1', '127.0.0.1', '169.254.169.254']] });
  const answer = await client(t, { policy: onlyLocalhost, resolver, ca }).post(
    `https://hook.test:${server.port}/`,
    post,
  );
  assert.equal(answer.statusCode, 200);
  assert.equal(server.seen[0]?.headers.host, `hook.test:${server.port}`, 'the name stays in the Host header');
});

test('a name is resolved once per connection, and refused at the next one if it now points inside', async (t) => {
  const server = await serve(t, (response) => response.writeHead(200, { connection: 'close' }).end(), { secure: true });
  const { resolver, lookups } = fakeResolver({ 'hook.test': [['127.0.0.1'], ['127.0.0.2', '::1'], ['127.0.0.1']] });
  const outbound = client(t, { policy: onlyLocalhost, resolver, ca });
  const url = `https://hook.test:${server.port}/`;
  assert.equal((await outbound.post(url, post)).statusCode, 200);
  assert.equal(lookups.length, 1);
  assert.equal((await failure(outbound.post(url, post))).reason, 'refused_address');
  assert.equal(lookups.length, 2);
  assert.equal(server.seen.length, 1);
  assert.equal((await outbound.post(url, post)).statusCode, 200, 'a refusal does not stick');
});

test('the exception for loopback test hosts does not apply to other names', async (t) => {
  const server = await serve(t, ok);
  const { resolver } = fakeResolver({ 'hook.test': [['127.0.0.1']], localhost: [['10.0.0.1'], ['127.0.0.1']] });
  const outbound = client(t, { policy: loopback, resolver });
  assert.equal((await failure(outbound.post(`https://hook.test:${server.port}/`, post))).reason, 'refused_address');
  assert.equal((await failure(outbound.post(`http://localhost:${server.port}/`, post))).reason, 'refused_address');
  assert.equal((await outbound.post(`http://localhost:${server.port}/`, post)).statusCode, 200);
});

test('a redirect is returned, not followed', async (t) => {
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

test('the first 4 KiB of a response are kept by default', async (t) => {
  const server = await serve(t, (response) => response.end('x'.repeat(4095) + 'é' + 'y'.repeat(10_000)));
  const outbound = client(t, { policy: loopback });
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal((await outbound.post(url, post)).responseStart, 'x'.repeat(4095), 'a character cut in half is left out');
  assert.equal((await outbound.post(url, { ...post, keepBytes: 4097 })).responseStart, 'x'.repeat(4095) + 'é');
  assert.equal((await outbound.post(url, { ...post, keepBytes: 0 })).responseStart, '');
});

test('invalid UTF-8 is replaced', async (t) => {
  const server = await serve(t, (response) => response.end(Buffer.from([0x61, 0xff, 0x62, 0xc3])));
  const answer = await client(t, { policy: loopback }).post(`http://127.0.0.1:${server.port}/`, post);
  assert.equal(answer.responseStart, 'a\ufffdb\ufffd');
});

test('an endless response is cut off at the limit and keeps its status', async (t) => {
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

test('a request to a server that never answers times out, and its connection is closed', async (t) => {
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

test('endless interim (1xx) responses do not count as a response', async (t) => {
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
    policy: onlyLocalhost,
    resolver: (name, _options, callback) => void (name === 'never' && callback(null, [])),
  });
  for (const url of ['https://hook.test/', `https://127.0.0.1:${mute}/`]) {
    const error = await failure(outbound.post(url, { timeoutMs: 100 }));
    assert.equal(error.reason, 'timeout');
    assert.match(error.message, /^No connection to .+ was made within 0.1 s\.$/);
  }
});

test('a request that timed out while it waited for its connection is never sent', async (t) => {
  const server = await serve(t, ok, { secure: true });
  const lookups: (() => void)[] = [];
  const outbound = client(t, {
    policy: onlyLocalhost,
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

test('responses that are not HTTP are protocol errors', async (t) => {
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
  const reset = await serveRaw(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  assert.equal((await failure(outbound.post(`http://127.0.0.1:${reset}/`, post))).reason, 'connect');
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

test('when every address of a name fails, the message lists each failure', async (t) => {
  const { resolver } = fakeResolver({ localhost: [['::1', '127.0.0.1']] });
  const error = await failure(client(t, { policy: loopback, resolver }).post('http://localhost:1/', post));
  assert.equal(error.reason, 'connect');
  assert.match(error.message, /::1:1\); .*127\.0\.0\.1:1\)\.$/);
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
  const trusting = client(t, { policy: onlyLocalhost, resolver, ca });
  const unknown = await failure(
    client(t, { policy: onlyLocalhost, resolver }).post(`https://hook.test:${server.port}/`, post),
  );
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

test('closing ends hanging requests at once and refuses later ones', async (t) => {
  const allArrived = Promise.withResolvers<void>();
  const server = await serve(t, (response, { url }) => {
    if (url === '/trickle') response.write('a');
    if (server.seen.length === 3) allArrived.resolve();
  });
  const outbound = createOutbound({ policy: loopback });
  const url = `http://127.0.0.1:${server.port}`;
  const hanging = ['/silent', '/silent', '/trickle'].map((path) => failure(outbound.post(url + path, post)));
  await allArrived.promise;
  await outbound.close();
  for (const error of await Promise.all(hanging)) assert.deepEqual([error.reason, error.sent], ['aborted', true]);
  const later = await failure(outbound.post(url, post));
  assert.deepEqual([later.reason, later.sent], ['aborted', false]);
});

test('a client that was never used closes', async () => {
  await createOutbound({ policy: loopback }).close();
});

test('10,000 requests leave nothing behind on the heap', { timeout: 120_000 }, async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const outbound = client(t, { policy: loopback });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const send = async (count: number): Promise<number> => {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await outbound.post(url, post);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await send(2000);
  const grownBytes = (await send(10_000)) - before;
  // A listener that stays behind costs some 200 bytes per request.
  assert.ok(grownBytes < 10_000 * 50, `the heap grew by ${grownBytes} bytes`);
});

test('hanging URLs do not block another URL of the same origin', async (t) => {
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

test('without the guard, any http(s) address is reached with any method', async (t) => {
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
