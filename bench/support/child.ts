import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Figures = Record<string, number>;

/** A module of this directory that runs in its own process. */
export type Child = {
  /** The message that it sent when it was ready. */
  ready: Figures;
  pid: number;
  /** Its figures since the last request for them. */
  figures(): Promise<Figures>;
  stop(): Promise<void>;
};

/** Starts a module, whose standard output and error go to the file `log` if that is given. */
export async function startChild(
  file: string,
  args: readonly string[] = [],
  { log, env = {} }: { log?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Child> {
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  const stdio = ['ignore', output, output, 'ipc'] as const;
  const child = fork(join(import.meta.dirname, file), [...args], {
    execArgv: [],
    stdio: [...stdio],
    env: { ...process.env, ...env },
  });
  if (typeof output === 'number') closeSync(output);
  const ready = await nextMessage(child, log);
  return {
    ready,
    pid: child.pid!,
    figures() {
      child.send('figures');
      return nextMessage(child, log);
    },
    stop: () =>
      new Promise((resolve) => {
        if (!child.connected) return resolve();
        child.once('exit', () => resolve());
        child.disconnect(); // it exits when the channel closes
      }),
  };
}

const nextMessage = (child: ChildProcess, log?: string): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      const said = log === undefined ? '' : `:\n${readFileSync(log, 'utf8').slice(-2000)}`;
      reject(new Error(`${child.spawnargs[1]} ended with ${code}${said}`));
    };
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Figures);
    });
  });

/** The child's side: reports that it is ready, answers each request for its figures, and ends with its parent, after `finish`. */
export function serveParent(
  ready: Figures,
  figures: () => Figures | Promise<Figures>,
  finish?: () => Promise<void>,
): void {
  process.on('message', () => void (async () => process.send!(await figures()))());
  process.on('disconnect', () => void Promise.resolve(finish?.()).finally(() => process.exit(0)));
  process.send!(ready);
}
