import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, corpus, routesWithBody, startServerUnderTest } from './run.ts';

test('no hostile body on any route blocks the main thread, fills the memory, or gets a wrong answer', async (t) => {
  assert.ok(corpus.length >= 60, `${corpus.length} bodies`);
  const server = await startServerUnderTest();
  try {
    const pairs = routesWithBody.flatMap((route) => corpus.map((hostile) => [route, hostile] as const));
    const { wrong, blocked, grownMebibytes, sent } = await attack(server, pairs);
    t.diagnostic(JSON.stringify({ routes: routesWithBody.length, bodies: corpus.length, sent, grownMebibytes }));
    assert.deepEqual({ wrong, blocked }, { wrong: [], blocked: [] });
    assert.ok(grownMebibytes < 256, `${grownMebibytes} MiB more than when idle`);
  } finally {
    await server.stop();
  }
});
