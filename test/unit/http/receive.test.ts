import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { receiveBody } from '../../../src/http/input/receive.ts';

/** A server that answers with the length of the body, or with the kind of the error. */
async function startReceiver(t: TestContext, floor: { minBytes: number; windowMs: number }): Promise<number> {
  const server = http.createServer(async (req, res) => {
    let size = 0;
    try {
      await receiveBody(
        req,
        (chunk) => {
          size += chunk.length;
          if (size > 1000) throw new AppError('too_large', 'too large');
        },
        floor,
      );
      res.end(String(size));
    } catch (error) {
      res.end((error as AppError).kind);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

function post(port: number): { request: http.ClientRequest; answer: Promise<string> } {
  const request = http.request({ port, host: '127.0.0.1', method: 'POST', agent: false });
  const answer = new Promise<string>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => resolve(String(Buffer.concat(await response.toArray()))));
  });
  return { request, answer };
}

test('a body that arrives too slowly is given up, even if it never stops arriving', async (t) => {
  const port = await startReceiver(t, { minBytes: 1000, windowMs: 100 });
  const { request, answer } = post(port);
  request.write('{');
  const drip = setInterval(() => request.write(' '), 20);
  t.after(() => clearInterval(drip));
  assert.equal(await answer, 'request_timeout');
});

test('a body that arrives at once is received whole, and one that is too large is refused while it arrives', async (t) => {
  const port = await startReceiver(t, { minBytes: 1000, windowMs: 60_000 });
  const whole = post(port);
  whole.request.end('x'.repeat(1000));
  assert.equal(await whole.answer, '1000');
  const large = post(port);
  large.request.write('x'.repeat(1001));
  assert.equal(await large.answer, 'too_large');
  large.request.destroy();
});
