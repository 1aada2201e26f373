import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The module that a worker thread runs, and the name of its bundle among the executable's assets (.build/package.ts). */
export type WorkerModule = { asset: string; url: () => URL };

/** The single executable has no files, so there a worker runs the text of an asset. */
export const createWorker = ({ asset, url }: WorkerModule, options: WorkerOptions): Worker =>
  isSea() ? new Worker(getAsset(asset, 'utf8'), { ...options, eval: true }) : new Worker(url(), options);
