import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A module that runs in a thread of its own, and the name under which `.build/package.ts` puts it, bundled, into the executable. */
export type WorkerModule = { asset: string; url: () => URL };

/** A single executable has no files to start a worker from, so it starts one from its text. */
export const startWorker = ({ asset, url }: WorkerModule, options: WorkerOptions): Worker =>
  isSea() ? new Worker(getAsset(asset, 'utf8'), { ...options, eval: true }) : new Worker(url(), options);
