import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

test('a body that comes too slowly is a 408, and its connection is closed', { timeout: 60_000 }, async (t) => {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  const head = ['POST /api/v1/contacts HTTP/1.1', 'Host: parley', `X-Api-Key: ${server.apiKey}`];
  socket.write(
    [...head, 'Content-Type: application/json', 'Content-Length: 1000000', '', '{"first_name":"'].join('\r\n'),
  );
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /^connection: close\r$/im);
  assert.match(
    answer,
    /"message":"The body arrived too slowly: at least 80 KiB must arrive every 10 seconds\.".*"REQUEST_TIMEOUT"/,
  );
});
