import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A module of this directory in a process of its own. */
export type Child = {
  /** What it said once it was ready. */
  ready: Record<string, number>;
  pid: number;
  /** Its figures since they were last asked for. */
  figures(): Promise<Record<string, number>>;
  stop(): Promise<void>;
};

export async function startChild(file: string, args: readonly string[] = []): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), [...args], { execArgv: [] });
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
        child.disconnect(); // it ends with its channel
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

/** The child's side: tells that it is ready, and answers each question with its figures. */
export function serveParent(ready: Record<string, number>, figures: () => Record<string, number>): void {
  process.on('message', () => process.send!(figures()));
  process.on('disconnect', () => process.exit(0));
  process.send!(ready);
}
