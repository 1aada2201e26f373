import { test } from 'node:test';
import { fuzz } from '../fuzz/run.ts';

/** A little of what `npm run test:fuzz` does at length; the same every time, so that a failure is the change's. */
test('whatever is sent, the answer is what the document describes, and none of it is our fault', async (t) => {
  t.diagnostic(JSON.stringify(await fuzz({ seed: 1, requests: 1500 })));
});
