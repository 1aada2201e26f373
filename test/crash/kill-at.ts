/**
 * Preloaded into the server (`node --import`): ends it, as SIGKILL does, the n-th time it passes a fault point.
 * CRASH_AT=<point>:<n>; the points are those of src/base/fault-points.ts.
 */
import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';

const [point = '', nth = '1'] = (process.env['CRASH_AT'] ?? '').split(':');
let passed = 0;
subscribe(`parley:${point}`, () => {
  passed += 1;
  if (passed !== Number(nth)) return;
  // What was compiled is the next life's: it starts in half the time. Else only a process that ends by itself leaves it.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
});
