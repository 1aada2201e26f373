import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { within } from './waiting.ts';

export const program = resolve(import.meta.dirname, '../../bin/parley.js');
const killAt = import.meta.resolve('./kill-at.ts');
const failingSyncs = import.meta.resolve('./fail-syncs.ts');

/** Longer than any start takes, even on a very busy machine. */
const startLimitMs = 60_000;

export const apiKey = 'key-of-the-crash-tests-0123456789';

export type StartOptions = {
  /** `<point>:<n>`: the server kills itself when it passes the fault point for the n-th time. */
  crashAt?: string;
  /** While this file exists, syncs fail. */
  failSyncs?: string;
};

/** Where a server process listens, and its end. */
export type Address = { url: string; gone: Promise<Ended> };

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

/** What clients and runtime need of a server, or of several of which one is active. */
export type Served = {
  /** Resolves as soon as a process is ready; rejects after `giveUp`. */
  address(): Promise<Address>;
  /** Rejects all pending calls of `address`, because no further process will start. */
  giveUp(): void;
  kill(): Promise<void>;
};

/** A server that is killed and restarted on the same data directory, each time on another port. */
export type KillableServer = Served & {
  /** The data directory. */
  readonly data: string;
  /** The next process has its data in another directory. */
  moveTo(data: string): void;
  /** Starts a process. Resolves when it is ready or, with `crashAt`, has ended before that. */
  start(options?: StartOptions): Promise<'ready' | 'ended'>;
  /** Limits the size of the files that the running process writes; null removes the limit. */
  limitFiles(bytes: number | null): void;
  /** Sends SIGTERM and resolves when the process has ended. */
  stop(): Promise<Ended>;
  /** Resolves when the current process, if any, has ended. */
  gone(): Promise<Ended>;
  /** The standard error of all processes together. */
  log(): string;
};

type Life = { child: ChildProcess; ended: Promise<Ended> };

export function createKillableServer(directory: string, settings: Readonly<Record<string, string>>): KillableServer {
  let data = join(directory, 'data');
  const readyFile = join(directory, 'ready.json');
  let log = '';
  let life: Life | undefined;
  let ready = awaited();
  let isReady = false;
  let last = Promise.resolve<Ended>({ code: null, signal: null });

  function begin({ crashAt, failSyncs }: StartOptions): Life {
    const sets = Object.entries(settings).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
    const serve = [program, 'serve', '--data', data, '--port', '0', '--ready-file', readyFile, ...sets];
    const preloads = [
      ...(crashAt === undefined ? [] : ['--import', killAt]),
      ...(failSyncs === undefined ? [] : ['--import', failingSyncs]),
    ];
    const args = [...preloads, ...serve];
    const env = {
      ...environment(),
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
      ...(failSyncs === undefined ? {} : { FAIL_SYNCS: failSyncs }),
    };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const ended = new Promise<Ended>((done, failed) => {
      child.once('error', failed).once('close', (code, signal) => done({ code, signal }));
    });
    return { child, ended };
  }

  async function start(options: StartOptions = {}): Promise<'ready' | 'ended'> {
    await last; // a client may notice the death of the process before this function does
    rmSync(readyFile, { force: true });
    const appeared = appearance(readyFile);
    life = begin(options);
    last = life.ended.then((ended) => {
      life = undefined;
      if (isReady) ready = awaited();
      isReady = false;
      return ended;
    });
    const came = await within(
      startLimitMs,
      'the start',
      Promise.race([appeared.seen, last.then(() => 'ended' as const)]),
    );
    appeared.forget();
    if (came === 'ended') {
      assert.ok(options.crashAt, `the server ended before it was ready:\n${log.slice(-2000)}`);
      return came;
    }
    isReady = true;
    ready.resolve({ url: (JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string }).url, gone: last });
    return 'ready';
  }

  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    life?.child.kill(signal);
    return within(startLimitMs, `the end after ${signal}`, last);
  };

  return {
    get data() {
      return data;
    },
    moveTo(place) {
      data = place;
    },
    start,
    limitFiles(bytes) {
      const { error, status, stderr } = spawnSync('prlimit', [
        `--pid=${life?.child.pid}`,
        `--fsize=${bytes ?? 'unlimited'}:`,
      ]);
      assert.ifError(error && new Error('These tests need prlimit: install util-linux.', { cause: error }));
      assert.equal(status, 0, String(stderr));
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    gone: () => last,
    address: () => ready.promise,
    giveUp: () => ready.reject(new Error('the server does not come back')),
    log: () => log,
  };
}

function awaited(): PromiseWithResolvers<Address> {
  const awaiting = Promise.withResolvers<Address>();
  awaiting.promise.catch(() => undefined); // without callers that wait for it, the rejection would be unhandled
  return awaiting;
}

/** The tests' own environment without settings of parley, and without coverage, which a killed process does not write anyway. */
export function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^PARLEY_|^NODE_TEST/.test(name));
  return {
    ...Object.fromEntries(inherited),
    PARLEY_BOOTSTRAP_API_KEY: apiKey,
    NODE_V8_COVERAGE: '',
  };
}

function appearance(path: string): { seen: Promise<'ready'>; forget(): void } {
  const { promise, resolve: tell } = Promise.withResolvers<'ready'>();
  const watcher = watch(dirname(path), () => {
    if (existsSync(path)) tell('ready');
  });
  return { seen: promise, forget: () => watcher.close() };
}
