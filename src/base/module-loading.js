// JavaScript rather than TypeScript: it is imported before the compile cache is on, and stripping types costs 0.1 s and 25 MiB then.
import { dirname } from 'node:path';
import * as nodeModule from 'node:module';

/**
 * Makes later imports of this thread cheap where parley runs from a checkout. Compiled code is kept in `cacheDirectory`, and relative
 * imports, which all name their files exactly, are resolved without looking up each file on disk, which Node otherwise does 3,000 times. Nor
 * is package.json read for the format of TypeScript, which no package has. Worker threads inherit neither.
 * @param {string | undefined} cacheDirectory Without one, nothing is kept.
 */
export function loadModulesQuickly(cacheDirectory) {
  if (cacheDirectory !== undefined) nodeModule.enableCompileCache(cacheDirectory);
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      // The CommonJS build of @koa/router: its ES build imports node:http (src/base/http.ts says what that costs).
      if (specifier === '@koa/router') return next(specifier, { ...context, conditions: ['node', 'require'] });
      const isFile =
        specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import');
      if (!isFile) return next(specifier, context);
      const { href } = new URL(specifier, context.parentURL);
      return href.endsWith('.ts')
        ? { url: href, format: 'module-typescript', shortCircuit: true }
        : { url: href, shortCircuit: true };
    },
  });
}

/** The directory that this thread gave to `loadModulesQuickly` or NODE_COMPILE_CACHE. Node reports a directory in it, one per version. */
export function cacheDirectoryInUse() {
  const directory = nodeModule.getCompileCacheDir();
  return directory === undefined ? undefined : dirname(directory);
}
