#!/usr/bin/env node
// JavaScript, not TypeScript: stripping types takes a tenth of a second and 25 MiB to load, and only what is imported after the next
// statements is spared it.
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

// What was compiled of this checkout, by content; `npm ci` clears it. Coverage is exact only of what is compiled anew.
if (!process.env['NODE_V8_COVERAGE']) enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/parley'));

// A relative import names its file exactly. Node would look for the file and its package all the same, three thousand times over.
registerHooks({
  resolve(specifier, context, next) {
    // Its CommonJS build: the other one imports node:http, which costs what src/base/http.ts says.
    if (specifier === '@koa/router') return next(specifier, { ...context, conditions: ['node', 'require'] });
    const isFile =
      specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import');
    if (!isFile) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
  },
});

const { runCli } = await import('../src/cli/index.ts');
process.exitCode = await runCli(process.argv.slice(2));
