import type { Clock } from '../base/clock.ts';
import type { App } from './app.ts';

/** What work aside sees of the world. Its clock stands at the instant at which the work was asked for. */
export type AsideApp = Pick<App, 'config' | 'db' | 'wake'> & { clock: Pick<Clock, 'now'> };

/**
 * Database work that takes long, and so is done in a thread of its own on a connection of its own (db/beside.ts: its commits do not wait
 * for the disk). What it is given and what it answers are copied from thread to thread. A short one gives others their turn: it cannot
 * be broken off.
 */
export type AsideTask<A, R> = { readonly name: string; run(app: AsideApp, args: A): Promise<R> };

export const asideTask = <A, R>(name: string, run: AsideTask<A, R>['run']): AsideTask<A, R> => ({ name, run });

export type Aside = {
  /** @throws what the work threw: an Error with its message and, of storage that refused, its `code` */
  run<A, R>(task: AsideTask<A, R>, args: A): Promise<R>;
};
