import { test } from 'node:test';
import { fuzz } from '../fuzz/run.ts';

/** A short run of `npm run test:fuzz` with a fixed seed, so that only a change of the code can make it fail. */
test('every answer to a random request conforms to the OpenAPI document, and none is a 5xx', async (t) => {
  t.diagnostic(JSON.stringify(await fuzz({ seed: 1, requests: 1500 })));
});
