import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { cacheDirectoryInUse } from '../module-loading.js';

/** The module that a worker thread runs, and the name of its bundle among the executable's assets (.build/package.ts). */
export type WorkerModule = { asset: string; url: () => URL };

/** The single executable has no files, so there a worker runs the text of an asset. */
export const createWorker = ({ asset, url }: WorkerModule, options: WorkerOptions): Worker =>
  new Worker(isSea() ? getAsset(asset, 'utf8') : importing([preload(), url()]), { ...options, eval: true });

/** A thread inherits no compile cache, without which it would take twice the processor time to start. */
function preload(): URL {
  const module = new URL('preload.js', import.meta.url);
  const directory = cacheDirectoryInUse();
  if (directory !== undefined) module.searchParams.set('cache', directory);
  return module;
}

/** A script that imports one module after the other. */
const importing = (modules: readonly URL[]): string =>
  `(async () => { ${modules.map(({ href }) => `await import(${JSON.stringify(href)});`).join(' ')} })();`;
