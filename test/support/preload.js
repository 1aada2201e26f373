/**
 * Imported by every test process before its tests (package.json). It makes imports cheap, and watches for what stays open: a test that
 * leaves a timer, socket or thread open would keep its process, and with it the whole run, alive forever; here its file fails instead,
 * and says what is open. A file whose event loop stands still fails, too (hang-watch.js).
 */
import { isMainThread } from 'node:worker_threads';
import { loadModulesQuickly } from '../../src/base/module-loading.js';
import { killWhenHung } from './hang-watch.js';

/** Time for handles that are closing when the last test ends. The servers of a group's files stop one after the other, each in this time. */
const graceMs = 20_000;

function failWhenStillAlive(serversBefore = openServers()) {
  const timer = setTimeout(() => {
    const servers = openServers();
    if (servers < serversBefore) return failWhenStillAlive(servers);
    console.error(`All tests have ended, but the process is kept alive by: ${openResources().join(', ')}`);
    process.exit(1);
  }, graceMs);
  timer.unref();
}

const openServers = () => openResources().filter((name) => name === 'TCPServerWrap').length;

/** The open resources that keep the process alive, without the pipes of stdout and stderr. */
const openResources = () => process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');

// Only where tests run: neither in the process of `node --test` itself nor in worker threads, which preload this file, too.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  loadModulesQuickly(process.env['NODE_COMPILE_CACHE']);
  const { after } = await import('node:test');
  after(() => failWhenStillAlive());
  if (isMainThread) killWhenHung();
}
