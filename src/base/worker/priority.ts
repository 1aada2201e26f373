import { getPriority, setPriority } from 'node:os';

const maxNice = 19;

/**
 * Lets the main thread and telephony go first when processors are scarce. To be called by a worker thread whose work can wait. `increment`
 * is added to the nice value: with 5 the thread gets a quarter of a processor that it shares with the main thread, with 10 a tenth. Does
 * nothing but on Linux, where each thread has a priority of its own; elsewhere it would be the whole process's.
 */
export function lowerPriority(increment: number): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + increment, maxNice));
}
