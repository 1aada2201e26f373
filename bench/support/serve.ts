import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** `parley serve` as people start it, in a process of its own, on a new data directory. */
export type Served = {
  url: string;
  apiKey: string;
  orgId: string;
  pid: number;
  databaseFile: string;
  /** From the start of the process to the first 200 of `/ready`. */
  readyMs: number;
  stop(): Promise<void>;
};

/** The program as this checkout runs it; a path to an executable or a bundle may be given instead. */
const fromSource = join(import.meta.dirname, '../../bin/parley.js');

export async function serve(args: readonly string[] = [], program: string = fromSource): Promise<Served> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const data = join(directory, 'data');
  const readyFile = join(directory, 'ready.json');
  const startedAt = performance.now();
  const given = ['serve', '--data', data, '--port', '0', '--ready-file', readyFile, '--set', 'log.level=warn', ...args];
  const isScript = /\.m?[jt]s$/.test(program);
  const child = isScript
    ? spawn(process.execPath, [program, ...given], { stdio: 'ignore' })
    : spawn(program, given, { stdio: 'ignore' });
  while (!existsSync(readyFile) || readFileSync(readyFile).length === 0) {
    if (child.exitCode !== null) throw new Error(`${program} serve ended with ${child.exitCode}`);
    await setTimeout(2);
  }
  const said = JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>;
  const { status } = await fetch(`${said['url']}/ready`);
  if (status !== 200) throw new Error(`/ready answered ${status}`);
  return {
    url: said['url']!,
    apiKey: said['api_key']!,
    orgId: said['org_id']!,
    pid: child.pid!,
    databaseFile: join(data, 'parley.db'),
    readyMs: performance.now() - startedAt,
    stop: () => stop(child, directory),
  };
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

/** What Linux says of a process: CPU used so far, and memory resident now. Undefined elsewhere. */
export function usageOf(pid: number): { cpuMs: number; residentMiB: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  // The name in brackets may hold blanks; the fields after it are numbered from 3 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const ticksPerSecond = 100;
  const cpuMs = ((Number(fields[14 - 3]) + Number(fields[15 - 3])) / ticksPerSecond) * 1000;
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs, residentMiB: Number(resident) / 1024 };
}
