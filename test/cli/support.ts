import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { runCli } from '../../src/cli/index.ts';

// The path from a checkout.
const program = resolve(import.meta.dirname, '../../bin/parley.ts');

export type Environment = Readonly<Record<string, string>>;
export type Result = { code: number | null; out: string; err: string };

/**
 * The tests' own environment without any settings of parley. Coverage is off too: it would prevent Node from using its compile cache,
 * and the same code is covered by tests that run it in their own process.
 */
const environmentWith = (extra: Environment): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PARLEY_|^NODE_TEST/.test(name))),
  NODE_V8_COVERAGE: '',
  ...extra,
});

/** A temporary directory that is removed after the test. */
export function scratch(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function begin(
  args: readonly string[],
  env: Environment,
  input = '',
): { child: ChildProcess; result: Result; ended: Promise<Result> } {
  const child = spawn(process.execPath, [program, ...args], {
    env: environmentWith(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined).end(input); // a command that reads nothing may have ended already
  const result: Result = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.err += text;
  });
  const ended = new Promise<Result>((done, failed) => {
    child.once('error', failed).once('close', (code) => done({ ...result, code }));
  });
  return { child, result, ended };
}

/** Runs a command in its own process, with `input` on its standard input. Resolves when it has ended. */
export const run = (args: readonly string[], env: Environment = {}, input = ''): Promise<Result> =>
  begin(args, env, input).ended;

export type RunningCommand = {
  signal(name: NodeJS.Signals): void;
  /** Resolves when its output has something that matches. */
  shows(pattern: RegExp): Promise<void>;
  printed(): string;
  ended: Promise<Result>;
};

/** Starts a command that goes on until it is stopped; it is killed after the test. */
export function startCommand(t: TestContext, args: readonly string[], env: Environment = {}): RunningCommand {
  const { child, result, ended } = begin(args, env);
  t.after(() => child.kill('SIGKILL'));
  const printed = (): string => result.out + result.err;
  return {
    signal: (name) => void child.kill(name),
    printed,
    ended,
    shows: (pattern) =>
      new Promise((done, failed) => {
        const check = (): void => {
          if (pattern.test(printed())) done();
        };
        child.stdout!.on('data', check);
        child.stderr!.on('data', check);
        void ended.then(() => failed(new Error(`it ended without ${pattern}:\n${printed()}`)));
        check();
      }),
  };
}

/** Runs a command in this process, which is faster than starting one, and returns what it printed. */
export async function runHere(t: TestContext, args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [log, error] = [
    t.mock.method(console, 'log', () => undefined),
    t.mock.method(console, 'error', () => undefined),
  ];
  const code = await runCli(args);
  const printed = (calls: ReadonlyArray<{ arguments: unknown[] }>): string =>
    calls.map((call) => String(call.arguments[0])).join('\n');
  t.mock.restoreAll();
  return { code, out: printed(log.mock.calls), err: printed(error.mock.calls) };
}

export type Server = {
  ready: {
    url: string;
    org_id: string;
    api_key: string | null;
    access_token: string;
    pid: number;
    version: string;
    setup_url: string | null;
  };
  readyFile: string;
  port: number;
  signal(name?: NodeJS.Signals): void;
  /** Resolves when its log has a line that matches. */
  logs(pattern: RegExp): Promise<void>;
  ended: Promise<Result>;
  /** Sends SIGTERM and resolves when the process has ended. */
  stop(): Promise<Result>;
};

/** Starts `parley serve` on a free port. Resolves when its ready file appears; the process is killed after the test. */
export async function serve(t: TestContext, args: readonly string[], env: Environment = {}): Promise<Server> {
  const readyFile = join(scratch(t), 'ready.json');
  const appeared = appearance(t, readyFile);
  const { child, result, ended } = begin(['serve', '--port', '0', '--ready-file', readyFile, ...args], env);
  t.after(() => child.kill('SIGKILL'));
  const early = await Promise.race([appeared, ended]);
  if (early !== undefined) throw new Error(`serve ended with ${early.code}:\n${early.err}`);
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Server['ready'];
  const signal = (name: NodeJS.Signals = 'SIGTERM'): void => void child.kill(name);
  const logs = (pattern: RegExp): Promise<void> =>
    new Promise((done, failed) => {
      const check = (): void => {
        if (pattern.test(result.err)) done();
      };
      child.stderr!.on('data', check);
      void ended.then(() => failed(new Error(`the server ended, and its log has nothing like ${pattern}`)));
      check();
    });
  const stop = (): Promise<Result> => {
    signal();
    return ended;
  };
  return { ready, readyFile, port: Number(new URL(ready.url).port), signal, logs, ended, stop };
}

/** Starts `parley demo`; it is killed after the test. */
export function demo(t: TestContext, args: readonly string[]) {
  const { child, result, ended } = begin(['demo', ...args], {});
  t.after(() => child.kill('SIGKILL'));
  return {
    /** Resolves with all that it has printed when that matches. */
    prints: (pattern: RegExp): Promise<string> =>
      new Promise((done, failed) => {
        const check = (): void => {
          if (pattern.test(result.out)) done(result.out);
        };
        child.stdout!.on('data', check);
        void ended.then(() => failed(new Error(`the demo ended and printed nothing like ${pattern}:\n${result.err}`)));
        check();
      }),
    /** Sends SIGTERM and resolves when it has ended. */
    async stop(): Promise<Result> {
      child.kill();
      return ended;
    },
  };
}

async function appearance(t: TestContext, path: string): Promise<undefined> {
  const events = watch(dirname(path), { signal: t.signal });
  for await (const _ of events) if (existsSync(path)) return;
}

/** Sends a GET request with an API key. */
export const ask = (url: string, apiKey: string | null): Promise<Response> =>
  fetch(url, { headers: { 'x-api-key': apiKey ?? '' } });

/** A TCP connection without an HTTP client, so that a test can send any bytes and read the answer as it arrives. */
export type RawConnection = {
  send(text: string): void;
  /** Resolves with everything received so far as soon as it matches. */
  hears(pattern: RegExp): Promise<string>;
  closed: Promise<void>;
};

export async function rawConnection(t: TestContext, port: number): Promise<RawConnection> {
  const socket: Socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  await new Promise<void>((done, failed) => socket.once('connect', done).once('error', failed));
  socket.on('error', () => undefined); // `closed` resolves after it
  return {
    send: (text) => void socket.write(text),
    closed,
    hears: (pattern) =>
      new Promise((done, failed) => {
        const check = (): void => {
          if (pattern.test(received)) done(received);
        };
        socket.on('data', check);
        void closed.then(() => failed(new Error(`the connection closed after: ${received}`)));
        check();
      }),
  };
}
