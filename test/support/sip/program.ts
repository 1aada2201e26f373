import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pause } from '../../../src/base/clock.ts';
import { portRange } from './ports.ts';

/** A SIP program of others (sipp, kamailio, baresip) as a child process of a test. */
export type Program = {
  /** Everything that it wrote to standard output and standard error. */
  output(): string;
  write(text: string): void;
  /** Resolves with its exit code, or null when a signal ended it. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
  /** Stops it and its children (SIGSTOP), like a machine that hangs, for this many milliseconds. Runs `meanwhile` at once. */
  standStill(ms: number, meanwhile: () => Promise<void>): Promise<void>;
};

const packages = { sipp: 'sip-tester', kamailio: 'kamailio kamailio-tls-modules', baresip: 'baresip-core' };
export type ProgramName = keyof typeof packages;

/**
 * The `skip` option of tests that need these programs: only where they are missing on a developer's machine. In CI they must be there.
 */
export function skipWithout(...names: ProgramName[]): { skip?: string } {
  const missing = names.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return {};
  const sentence = `${missing.join(', ')} missing: install ${missing.map((name) => packages[name]).join(' ')} to run these tests.`;
  if (process.env['CI'] !== undefined) throw new Error(sentence);
  console.error(sentence);
  return { skip: sentence };
}

/** The same for tests that also need the address ::1, which some machines lack. */
export function skipWithoutIpv6(...names: ProgramName[]): { skip?: string } {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const hasIpv6 = addresses.some(({ address }) => address === '::1');
  return hasIpv6 ? skipWithout(...names) : { skip: 'This machine has no address ::1.' };
}

export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sip-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const startProgram = (t: TestContext, name: ProgramName, args: readonly string[], cwd: string): Program =>
  startCommand(t, name, args, cwd);

export function startCommand(t: TestContext, name: string, args: readonly string[], cwd: string): Program {
  // A process group of its own: kamailio has children, and some programs signal their whole group when they end.
  const child: ChildProcess = spawn(name, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.stdin!.on('error', () => undefined); // it may have ended
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code));
  });
  ended.catch(() => undefined);
  let isRunning = true;
  child.once('exit', () => (isRunning = false));
  const stop = async (): Promise<void> => {
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  t.after(stop);
  async function standStill(ms: number, meanwhile: () => Promise<void>): Promise<void> {
    process.kill(-child.pid!, 'SIGSTOP');
    await Promise.all([meanwhile(), pause(ms)]);
    process.kill(-child.pid!, 'SIGCONT');
  }
  return { output: () => output, write: (text) => void child.stdin!.write(text), ended, stop, standStill };
}

let range = await portRange();
let next = range.portMin;

/** The first of `count` free ports in a row, even. */
export async function freePorts(count: number): Promise<number> {
  if (next + count > range.portMax) {
    range = await portRange();
    next = range.portMin;
  }
  const port = next;
  next += count + (count % 2);
  return port;
}

/** Empty for a family of addresses that this machine does not have. */
const socketsIn = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Resolves when a program listens on the port; rejects with its output when it has ended instead. */
export async function listens(program: Program, port: number, transport: 'udp' | 'tcp'): Promise<void> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  // 07: a UDP socket that is not connected; 0A: a TCP socket that listens.
  const line = new RegExp(`^ *\\d+: [0-9A-F]+${local} \\S+ ${transport === 'udp' ? '07' : '0A'}`, 'm');
  let isGone = false;
  const watch = program.ended.then(
    () => (isGone = true),
    () => (isGone = true),
  );
  const sockets = (): string => ['', '6'].map((family) => socketsIn(`/proc/net/${transport}${family}`)).join('');
  while (!line.test(sockets())) {
    if (isGone) throw new Error(`it ended before it listened on port ${port}:\n${program.output()}`);
    await Promise.race([pause(10), watch]);
  }
}
