import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { Context } from 'koa';
import { createServer } from '../../src/base/http.ts';
import { oneAtATime } from '../../src/http/one-at-a-time.ts';
import { compressed, markConstant } from '../../src/http/output/etag-and-compression.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

async function listening(t: TestContext, server: Server): Promise<number> {
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function connected(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a request of a connection begins when the answer to the one before has left', async (t) => {
  const begun: Array<{ path: string; response: ServerResponse; body: Promise<string> }> = [];
  let onBegin = (): void => undefined;
  const textOf = async (message: IncomingMessage) => Buffer.concat(await message.toArray()).toString();
  const port = await listening(
    t,
    createServer(
      {},
      oneAtATime((message, response) => {
        begun.push({ path: message.url!, response, body: textOf(message) });
        onBegin();
      }),
    ),
  );
  const socket = await connected(t, port);
  const next = () => new Promise<void>((resolve) => (onBegin = resolve));
  let begin = next();
  socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo');
  await begin;
  // Another connection is served after everything that has arrived on the first one.
  begin = next();
  const other = await connected(t, port);
  other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
  await begin;
  assert.deepEqual(
    begun.map(({ path }) => path),
    ['/1', '/other'],
  );
  begin = next();
  begun[0]!.response.end('one');
  await begin;
  assert.equal(begun[2]!.path, '/2');
  socket.write('dyGET /3 HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal(await begun[2]!.body, 'body');
  begin = next();
  begun[2]!.response.end('two');
  await begin;
  assert.equal(begun[3]!.path, '/3');
});

async function refusedBy(server: TestServer): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': server.apiKey } });
  return Number(/^parley_http_connections_refused_total (\d+)$/m.exec(await answer.text())?.[1]);
}

test('an address with as many connections as it may have gets no other until one has ended', async (t) => {
  const server = await startTestServer({ settings: { 'http.max_connections_per_address': '3' } });
  t.after(() => server.stop());
  const port = Number(new URL(server.url).port);
  const refusedBefore = await refusedBy(server); // this connection stays open
  const [first] = [await connected(t, port), await connected(t, port)];
  const beyond = await connected(t, port);
  await once(beyond, 'close');
  first.destroy();
  await once(first, 'close');
  assert.equal((await refusedBy(server)) - refusedBefore, 1);
});

test('a trusted proxy has as many connections as it opens', async (t) => {
  const server = await startTestServer({
    settings: { 'http.max_connections_per_address': '1', 'http.trusted_proxies': '[127.0.0.0/8]' },
  });
  t.after(() => server.stop());
  const port = Number(new URL(server.url).port);
  for (let count = 0; count < 5; count += 1) {
    const socket = await connected(t, port);
    socket.write(request);
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200 /);
  }
});

test('a text that stays the same is compressed once for each encoding, and sent from one buffer', async () => {
  const ctxOf = (encoding: string) =>
    ({
      state: {},
      vary: () => undefined,
      set: () => undefined,
      acceptsEncodings: () => encoding,
    }) as unknown as Context;
  const text = 'a long text '.repeat(1000);
  const answer = (encoding: string) => {
    const ctx = ctxOf(encoding);
    markConstant(ctx, text);
    return compressed(ctx, text);
  };
  for (const encoding of ['br', 'gzip', 'identity']) {
    const [first, second] = await Promise.all([answer(encoding), answer(encoding)]);
    assert.ok(Buffer.isBuffer(first));
    assert.equal(first, second, encoding);
  }
  assert.notEqual(await answer('br'), await answer('gzip'));
});
