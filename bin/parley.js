#!/usr/bin/env node
// JavaScript rather than TypeScript: stripping the types of the entry file would cost every start 0.1 s and 25 MiB. Only what is
// imported below, after the hooks and the compile cache are in place, is TypeScript.
//
// Any Node must be able to parse and link this file, so it imports no named export that an older node:module lacks.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

// Without a listener of ours, SIGUSR1 opens Node's debugger, through which every user of this machine could read the secrets. The flag
// --disable-sigusr1 would do it earlier, but older versions of Node refuse to start with it.
process.on('SIGUSR1', () => undefined);

const major = Number.parseInt(process.versions.node, 10);
const isOldNode = major < 26;

async function run() {
  const args = process.argv.slice(2);
  if (isOldNode) {
    const { runWithPinnedNode } = await import('./pinned-node.js');
    return runWithPinnedNode(args);
  }
  useCompileCache();
  resolveRelativeImportsDirectly();
  const { runCli } = await import('../src/cli/index.ts');
  return runCli(args);
}

/** Caches the compiled code of this checkout by content; `npm ci` clears it. Coverage is exact only for freshly compiled code. */
function useCompileCache() {
  if (process.env['NODE_V8_COVERAGE']) return;
  nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url)));
}

/** Our relative imports name their files exactly. Without this hook Node would look up each file and its package.json, 3,000 times. */
function resolveRelativeImportsDirectly() {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      // The CommonJS build of @koa/router: its ES build imports node:http (src/base/http.ts says what that costs).
      if (specifier === '@koa/router') return next(specifier, { ...context, conditions: ['node', 'require'] });
      const isFile =
        specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import');
      if (!isFile) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
    },
  });
}

process.exitCode = await run();
