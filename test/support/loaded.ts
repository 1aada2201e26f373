/** Preloaded into the server (`--import`): at exit it prints to standard error which packages and built-in modules were loaded. */
import { registerHooks } from 'node:module';

const packages = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});

process.on('exit', () => {
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
  const builtins = moduleLoadList.map((entry) => entry.replace(/^.* /, ''));
  console.error(JSON.stringify({ loaded: [...packages, ...builtins] }));
});
