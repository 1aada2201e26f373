import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The name under which `.build/package.ts` puts the bundled worker into the executable. */
const assetName = 'knowledge-worker.cjs';

/** A single executable has no files to start a worker from, so it starts one from its text. */
export const startWorker = (options: WorkerOptions): Worker =>
  isSea()
    ? new Worker(getAsset(assetName, 'utf8'), { ...options, eval: true })
    : new Worker(new URL('main.ts', import.meta.url), options);
