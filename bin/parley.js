#!/usr/bin/env node
// JavaScript rather than TypeScript: stripping the types of the entry file would cost every start 0.1 s and 25 MiB. Only what is
// imported below, after the hooks and the compile cache are in place, is TypeScript.
//
// Any Node must be able to parse and link this file.
import { fileURLToPath } from 'node:url';

// Without a listener of ours, SIGUSR1 opens Node's debugger, through which every user of this machine could read the secrets. The flag
// --disable-sigusr1 would do it earlier, but older versions of Node refuse to start with it.
process.on('SIGUSR1', () => undefined);

// Read when the first thread of the pool starts. The system's resolver keeps a thread until a name server answers, so there are more than
// Node's four, and some are left for files (src/base/outbound/resolver.ts).
process.env['UV_THREADPOOL_SIZE'] ??= '12';

const major = Number.parseInt(process.versions.node, 10);
const isOldNode = major < 26;

/** The compiled code of this checkout, by content; `npm ci` clears it. Coverage is exact only for freshly compiled code. */
const cacheDirectory = process.env['NODE_V8_COVERAGE']
  ? undefined
  : fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url));

async function run() {
  const args = process.argv.slice(2);
  if (isOldNode) {
    const { runWithPinnedNode } = await import('./pinned-node.js');
    return runWithPinnedNode(args);
  }
  const { loadModulesQuickly } = await import('../src/base/module-loading.js');
  loadModulesQuickly(cacheDirectory);
  const { runCli } = await import('../src/cli/index.ts');
  return runCli(args);
}

process.exitCode = await run();
