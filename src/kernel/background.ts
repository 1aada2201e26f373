import type { BackgroundTask } from './app.ts';

/**
 * Tasks for work that would block the main thread too long. They run on a thread and a connection of their own, whose commits do not wait
 * for the disk (db/sqlite/background-connection.ts). Arguments and results are copied between threads. A task cannot be interrupted, so
 * split long work into tasks of 100 to 200 ms. At most one reading and one writing task run at the same time.
 */

type Run<A, R> = BackgroundTask<A, R>['run'];
export const backgroundRead = <A, R>(name: string, run: Run<A, R>): BackgroundTask<A, R> => ({
  name,
  writes: false,
  run,
});
export const backgroundWrite = <A, R>(name: string, run: Run<A, R>): BackgroundTask<A, R> => ({
  name,
  writes: true,
  run,
});
