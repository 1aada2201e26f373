import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** `parley serve` as users start it, in its own process, on a new data directory. */
export type Served = {
  url: string;
  apiKey: string;
  orgId: string;
  pid: number;
  databaseFile: string;
  /** Milliseconds from the start of the process to the first 200 of `/ready`. */
  readyMs: number;
  stop(): Promise<void>;
};

/** This checkout's program, unless the caller names an executable or a bundle. */
const fromSource = join(import.meta.dirname, '../../bin/parley.js');

/** Starts a server, on the data directory `data` if that is given. `nodeArgs` and `env` are for a program from source. */
export async function serve(
  args: readonly string[] = [],
  program: string = fromSource,
  {
    nodeArgs = [],
    env = {},
    ...options
  }: { nodeArgs?: readonly string[]; env?: NodeJS.ProcessEnv; data?: string } = {},
): Promise<Served> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const { data = join(directory, 'data') } = options;
  const readyFile = join(directory, 'ready.json');
  const startedAt = performance.now();
  const given = ['serve', '--data', data, '--port', '0', '--ready-file', readyFile, ...args];
  const isScript = /\.m?[jt]s$/.test(program);
  const log = openSync(join(directory, 'log'), 'w');
  const command: [string, string[]] = isScript
    ? [process.execPath, [...nodeArgs, program, ...given]]
    : [program, given];
  const child = spawn(...command, { stdio: ['ignore', 'ignore', log], env: { ...process.env, ...env } });
  closeSync(log);
  while (!existsSync(readyFile) || readFileSync(readyFile).length === 0) {
    if (child.exitCode !== null) throw new Error(`${program} serve ended with ${child.exitCode}`);
    await setTimeout(2);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>;
  const { status } = await fetch(`${ready['url']}/ready`);
  if (status !== 200) throw new Error(`/ready answered ${status}`);
  return {
    url: ready['url']!,
    apiKey: ready['api_key']!,
    orgId: ready['org_id']!,
    pid: child.pid!,
    databaseFile: join(data, 'parley.db'),
    readyMs: performance.now() - startedAt,
    stop: () => stop(child, directory),
  };
}

/** Runs a command of this checkout to its end. */
export async function runBinary(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [fromSource, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`parley ${args[0]} ended with ${code}`);
}

function stop(child: ChildProcess, directory: string): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      rmSync(directory, { recursive: true, force: true });
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** The CPU time that a process has used and its resident memory. Undefined on systems other than Linux. */
export function usageOf(pid: number): { cpuMs: number; residentMiB: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: cpuMsOf(pid, ownTimes), residentMiB: Number(resident) / 1024 };
}

/** The CPU time (milliseconds) that a process, its child processes and those that have ended have used (Linux only). */
export function cpuMsOfGroup(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  try {
    return children.reduce((sum, child) => sum + cpuMsOf(child, ownTimes), cpuMsOf(pid, [...ownTimes, ...endedTimes]));
  } catch {
    return cpuMsOfGroup(pid); // a child process ended meanwhile
  }
}

/** Fields of proc_pid_stat(5): user and system time of the process, and of its children that have ended. */
const ownTimes = [14, 15];
const endedTimes = [16, 17];

function cpuMsOf(pid: number, times: readonly number[]): number {
  // The process name in parentheses may contain spaces; the fields after it are numbered from 3.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const ticksPerSecond = 100;
  return (times.reduce((sum, field) => sum + Number(fields[field - 3]), 0) / ticksPerSecond) * 1000;
}
