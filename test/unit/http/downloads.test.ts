import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import Koa from 'koa';
import type { App } from '../../../src/kernel/app.ts';
import { downloadAnswer } from '../../../src/http/output/downloads.ts';

type Logged = Array<{ err: Error; requestId: string }>;

/** A server that answers every request with this content as a download, and its log. */
async function serve(content: AsyncIterable<string>) {
  const logged: Logged = [];
  const app = { log: { error: (line: Logged[number]) => logged.push(line) } } as unknown as App;
  const koa = new Koa();
  koa.silent = true;
  koa.use((ctx) => {
    ctx.state['requestId'] = 'r1';
    ctx.body = downloadAnswer(app, ctx, { contentType: 'text/csv', description: '' }, { fileName: 'a.csv', content });
  });
  const server = koa.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { url, logged, close };
}

test('a download is sent while it is generated', async () => {
  const { url, logged, close } = await serve(Readable.from(['é,', '🦜\r\n']));
  const answer = await fetch(url);
  assert.equal(await answer.text(), 'é,🦜\r\n');
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="a.csv"');
  assert.deepEqual(logged, []);
  await close();
});

test('a download that fails midway is cut off and logged, so that the client notices it is incomplete', async () => {
  const begun = Promise.withResolvers<void>();
  const { url, logged, close } = await serve(
    (async function* () {
      yield 'the beginning';
      await begun.promise;
      throw new Error('the disk is gone');
    })(),
  );
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  begun.resolve();
  await assert.rejects(answer.text());
  assert.deepEqual(
    logged.map(({ err, requestId }) => [err.message, requestId]),
    [['the disk is gone', 'r1']],
  );
  await close();
});

test('a client that disconnects stops the generation, which is not logged as an error', async () => {
  const ended = Promise.withResolvers<void>();
  const { url, logged, close } = await serve(
    (async function* () {
      try {
        for (;;) {
          yield 'x'.repeat(10_000);
          await new Promise(setImmediate);
        }
      } finally {
        ended.resolve();
      }
    })(),
  );
  const leaving = new AbortController();
  const answer = await fetch(url, { signal: leaving.signal });
  await answer.body!.getReader().read();
  leaving.abort();
  await ended.promise;
  assert.deepEqual(logged, []);
  await close();
});
