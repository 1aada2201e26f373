// Worker threads import this before their own module (module.ts). `?cache=` is the directory of the compile cache.
import { loadModulesQuickly } from '../module-loading.js';

loadModulesQuickly(new URL(import.meta.url).searchParams.get('cache') ?? undefined);
