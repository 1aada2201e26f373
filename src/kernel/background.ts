import type { Clock } from '../base/clock.ts';
import type { App } from './app.ts';

/** What work aside sees of the world. Its clock stands at the instant at which the work was asked for. */
export type BackgroundApp = Pick<App, 'config' | 'db' | 'wake'> & { clock: Pick<Clock, 'now'> };

/**
 * Database work that takes long, and so is done in a thread of its own on a connection of its own (db/beside.ts: its commits do not wait
 * for the disk). What it is given and what it answers are copied from thread to thread. It is short, a tenth of a second or two: it
 * cannot be broken off. Of those that read one runs at a time, and one of those that write.
 */
export type BackgroundTask<A, R> = {
  readonly name: string;
  readonly writes: boolean;
  run(app: BackgroundApp, args: A, owner?: string): Promise<R>;
};

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

export type Background = {
  /**
   * `owner` is the organization that it is for: they take turns.
   * @throws what the work threw: an Error with its message and, of storage that refused, its `code`; unavailable when too much
   * that reads waits for the owner, and when the server stops before it began
   */
  run<A, R>(task: BackgroundTask<A, R>, args: A, owner?: string): Promise<R>;
};
