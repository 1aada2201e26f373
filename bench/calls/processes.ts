import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Lateness = { p50: number; p99: number };

/** A module of this directory in a process of its own, with the first message that it sent. */
export async function startProcess(
  file: string,
  args: readonly string[] = [],
): Promise<{ process: ChildProcess; first: unknown }> {
  const child = fork(join(import.meta.dirname, file), [...args], { execArgv: [] });
  const [first] = (await once(child, 'message')) as [unknown];
  return { process: child, first };
}

export async function ask<T>(child: ChildProcess, message: string | object): Promise<T> {
  child.send(message);
  const [reply] = (await once(child, 'message')) as [T];
  return reply;
}

/** Keeps all threads of a process on one core; false without `taskset` of util-linux. */
export const pin = (pid: number, core: number): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' }).status === 0;

/** A bare timer that is later than this at p99 shows a machine that does other things, on which the figures say nothing of parley. */
const maxBareMs = 5;

/** Watches a bare timer of 2 ms in a process of its own while something else is measured. */
export async function watchMachine(): Promise<{ begin(): void; end(): Promise<Lateness & { isBusy: boolean }> }> {
  const timer = await startProcess('bare-timer.ts');
  return {
    begin: () => void timer.process.send('reset'),
    async end() {
      const bare = await ask<Lateness>(timer.process, 'figures');
      timer.process.kill();
      return { ...bare, isBusy: bare.p99 >= maxBareMs };
    },
  };
}
