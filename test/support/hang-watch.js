import { Worker } from 'node:worker_threads';

/** Longer than any test blocks its thread, for a program that it runs or a database that it fills. */
const maxSilentSec = Number(process.env['TEST_MAX_SILENT_SECONDS'] ?? 240);

/** Waits on the memory that it shares with the test's thread, so it needs no event loop of its own. */
const watch = `
  const { writeSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const shared = new Int32Array(workerData.memory);
  let [seen, silentSec] = [-1, 0];
  for (;;) {
    Atomics.wait(shared, 1, 0, 1000);
    const beats = Atomics.load(shared, 0);
    silentSec = beats === seen ? silentSec + 1 : 0;
    seen = beats;
    if (silentSec < workerData.maxSilentSec) continue;
    writeSync(2, 'The event loop of ' + workerData.file + ' has not turned for ' + silentSec + ' s, so no time-out of a test can end it: killed.\\n');
    process.kill(process.pid, 'SIGKILL');
    break;
  }
`;

/**
 * Kills the process when its event loop stands still. A test's time-out is a timer, which never fires while a loop awaits database queries or
 * computes; such a file would run until somebody notices.
 */
export function killWhenHung() {
  const memory = new SharedArrayBuffer(8);
  const beats = new Int32Array(memory);
  setInterval(() => Atomics.add(beats, 0, 1), 500).unref();
  const workerData = { memory, maxSilentSec, file: process.argv[1] ?? 'the test' };
  new Worker(watch, { eval: true, execArgv: [], workerData }).unref();
}
