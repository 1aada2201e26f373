import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test, type TestContext } from 'node:test';
import { createServer } from '../../src/base/http.ts';
import { answerMalformed } from '../../src/http/input/malformed.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Heard = { status: number; headers: string; body: Record<string, unknown> };

/** Sends bytes and returns everything received until the server closes the connection, even if it does so before all were sent. */
async function exchange(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

async function say(text: string, port = Number(new URL(server.url).port)): Promise<Heard> {
  const heard = await exchange(port, text);
  const [head = '', ...rest] = heard.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]),
    headers: head.toLowerCase(),
    body: JSON.parse(rest.join('\r\n\r\n')) as Record<string, unknown>,
  };
}

function isRefusal({ status, headers, body }: Heard, expected: number, code: string): void {
  assert.deepEqual([status, body['success'], body['code']], [expected, false, code]);
  assert.match(String(body['message']), /^[A-Z].*\.$/);
  for (const header of [
    'content-type: application/json; charset=utf-8',
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
  ]) {
    assert.ok(headers.includes(header), `${header} in ${headers}`);
  }
  assert.match(headers, /x-request-id: \S+/);
}

const close = 'Host: x\r\nConnection: close\r\n';

for (const [what, text] of [
  ['nonsense', 'HELLO\r\n\r\n'],
  ['a version that does not exist', `GET /ready HTTP/9.9\r\n${close}\r\n`],
  ['an address that is no URL', `GET http://[ HTTP/1.1\r\n${close}\r\n`],
  ['an address without a path', `GET http://?x HTTP/1.1\r\n${close}\r\n`],
  ['an address of another scheme without a path', `GET foo:// HTTP/1.1\r\n${close}\r\n`],
  ['a header without a colon', `GET /ready HTTP/1.1\r\n${close}no colon\r\n\r\n`],
  ['a control character in a header', `GET /ready HTTP/1.1\r\n${close}X: \u0001\r\n\r\n`],
  ['a Content-Length that is not a number', `POST /api/v1/contacts HTTP/1.1\r\n${close}Content-Length: ten\r\n\r\n`],
  [
    'both Content-Length and Transfer-Encoding',
    `POST /ready HTTP/1.1\r\n${close}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['an invalid chunk', `POST /ready HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['no Host', 'GET /ready HTTP/1.1\r\nConnection: close\r\n\r\n'],
] as const) {
  test(`${what} answers 400 in the envelope`, async () => {
    isRefusal(await say(text), 400, 'INVALID_REQUEST');
  });
}

test('HTTP/1.0 needs no Host', async () => {
  assert.match(await exchange(Number(new URL(server.url).port), 'GET /ready HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('headers that are too large answer 431, and CONNECT answers 405', async () => {
  isRefusal(await say(`GET /${'x'.repeat(40_000)} HTTP/1.1\r\n${close}\r\n`), 431, 'HEADERS_TOO_LARGE');
  isRefusal(await say(`GET / HTTP/1.1\r\n${close}X: ${'x'.repeat(40_000)}\r\n\r\n`), 431, 'HEADERS_TOO_LARGE');
  isRefusal(await say(`CONNECT example.com:443 HTTP/1.1\r\n${close}\r\n`), 405, 'METHOD_NOT_ALLOWED');
});

test('an unknown expectation answers 417 with the request’s own id, and 100-continue is supported', async () => {
  const head = `POST /api/v1/contacts HTTP/1.1\r\n${close}X-Api-Key: ${server.apiKey}\r\nContent-Type: application/json\r\n`;
  const refused = await say(`${head}X-Request-Id: mine\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n{}`);
  isRefusal(refused, 417, 'EXPECTATION_FAILED');
  assert.match(refused.headers, /x-request-id: mine/);
  const met = await exchange(
    Number(new URL(server.url).port),
    `${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  );
  assert.match(met, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

/** A plain server that answers malformed requests as parley does. */
async function bare(t: TestContext, web: Server, options = {}): Promise<number> {
  answerMalformed(server.running.app, web, options);
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    web.closeAllConnections();
    web.close();
  });
  return (web.address() as AddressInfo).port;
}

test('a request that does not arrive in time answers 408', async (t) => {
  const web = createServer({ connectionsCheckingInterval: 1 });
  web.headersTimeout = 1;
  isRefusal(await say('GET / HTTP/1.1\r\n', await bare(t, web)), 408, 'REQUEST_TIMEOUT');
});

test('endless chunk extensions answer 413', async (t) => {
  const web = createServer((request) => void request.resume());
  const head = `POST / HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\n`;
  isRefusal(await say(`${head}1;${'x'.repeat(20_000)}\r\n`, await bare(t, web)), 413, 'PAYLOAD_TOO_LARGE');
});

test('an error is never written into a started answer, nor in place of a pending one', async (t) => {
  const begin = new Map<string, () => void>();
  const web = createServer(({ url = '' }, response) => {
    if (url === '/begun') response.writeHead(200, { 'Content-Length': '10' }).write('five.');
    begin.get(url)!();
  });
  const port = await bare(t, web);
  const interrupted = async (path: string, isAnswered: boolean): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    const answered = isAnswered ? new Promise<void>((resolve) => begin.set('', resolve)) : Promise.resolve();
    const arrived = new Promise<void>((resolve) => begin.set(path, resolve));
    let heard = '';
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      begin.get('')!();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await Promise.all([arrived, answered]);
    socket.write('HELLO\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    return heard;
  };
  assert.match(await interrupted('/begun', true), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nfive\.$/);
  assert.equal(await interrupted('/waiting', false), '');
});

test('malformed bytes after an answered request get an answer of their own', async (t) => {
  const web = createServer((_request, response) => void response.end('answered'));
  const port = await bare(t, web);
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    if (heard === '') socket.write('HELLO\r\n\r\n');
    heard += chunk.toString();
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  assert.match(heard, /^HTTP\/1\.1 200 [^]*answered[^]*HTTP\/1\.1 400 [^]*INVALID_REQUEST/);
});

test('a connection is closed after a refusal even if the client keeps sending', async (t) => {
  const web = createServer();
  const port = await bare(t, web, { lingerMs: 20 });
  const closed = new Promise((resolve) => web.once('connection', (socket) => socket.once('close', resolve)));
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.on('data', () => socket.write('HELLO\r\n\r\n'));
  socket.write('HELLO\r\n\r\n');
  await closed;
  socket.destroy();
});
