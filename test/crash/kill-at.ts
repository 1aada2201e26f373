/**
 * Preloaded into the server (`node --import`): ends it, as SIGKILL does, the n-th time it passes a fault point.
 * CRASH_AT=<point>:<n>; the points are those of src/base/fault-points.ts.
 */
import { subscribe } from 'node:diagnostics_channel';

const [point = '', nth = '1'] = (process.env['CRASH_AT'] ?? '').split(':');
let passed = 0;
subscribe(`parley:${point}`, () => {
  passed += 1;
  if (passed === Number(nth)) process.kill(process.pid, 'SIGKILL');
});
