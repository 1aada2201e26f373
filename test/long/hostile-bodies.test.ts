import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, corpus, routesWithBody, startServerUnderTest } from '../hostile/run.ts';

/** Sends each body to one route, and each route at least one body; `npm run test:hostile` sends every body to every route. */
test('hostile bodies do not block the main thread or fill the memory, and get the right answer', async () => {
  const server = await startServerUnderTest();
  try {
    const pairs = corpus.map((hostile, index) => [routesWithBody[index % routesWithBody.length]!, hostile] as const);
    const { wrong, blocked, grownMebibytes } = await attack(server, pairs);
    assert.deepEqual({ wrong, blocked }, { wrong: [], blocked: [] });
    assert.ok(grownMebibytes < 256, `${grownMebibytes} MiB more than when idle`);
  } finally {
    await server.stop();
  }
});
