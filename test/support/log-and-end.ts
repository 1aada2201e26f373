/** Run as a separate process: logs 100 lines in one tick of the event loop, and ends in the way that its argument names. */
import { createLog } from '../../src/base/log.ts';

const log = createLog('info');
for (let line = 1; line <= 100; line += 1) log.info({ line }, 'a line');
const end = process.argv[2]!;
if (end === 'exit') process.exit(0);
if (end === 'throw') throw new Error('an uncaught error');
if (end.startsWith('SIG')) {
  process.kill(process.pid, end);
  setInterval(() => undefined, 1000); // The signal ends it.
}
