/**
 * Preloaded into the server (`node --import`): kills it with SIGKILL the n-th time it passes a fault point.
 * CRASH_AT=<point>:<n>; src/base/fault-points.ts lists the points.
 */
import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';

const [point = '', nth = '1'] = (process.env['CRASH_AT'] ?? '').split(':');
let passed = 0;
subscribe(`parley:${point}`, () => {
  passed += 1;
  if (passed !== Number(nth)) return;
  // Save the compile cache, which a killed process would not do. It halves the start time of the next process.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
});
