import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** A module of this directory that runs in its own process. */
export type Child = {
  /** The message that it sent when it was ready. */
  ready: Record<string, number>;
  pid: number;
  /** Its figures since the last request for them. */
  figures(): Promise<Record<string, number>>;
  stop(): Promise<void>;
};

/** Starts a module, whose standard output and error go to the file `log` if that is given. */
export async function startChild(
  file: string,
  args: readonly string[] = [],
  { log, execArgv = [] }: { log?: string; execArgv?: readonly string[] } = {},
): Promise<Child> {
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  const stdio = ['ignore', output, output, 'ipc'] as const;
  const child = fork(join(import.meta.dirname, file), [...args], { execArgv: [...execArgv], stdio: [...stdio] });
  if (typeof output === 'number') closeSync(output);
  const ready = await nextMessage(child);
  return {
    ready,
    pid: child.pid!,
    figures() {
      child.send('figures');
      return nextMessage(child);
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect(); // it exits when the channel closes
      }),
  };
}

const nextMessage = (child: ChildProcess): Promise<Record<string, number>> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Record<string, number>);
    });
  });

/** The child's side: reports that it is ready, and answers each request for its figures. */
export function serveParent(ready: Record<string, number>, figures: () => Record<string, number>): void {
  process.on('message', () => process.send!(figures()));
  process.on('disconnect', () => process.exit(0));
  process.send!(ready);
}
