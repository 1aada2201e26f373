import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Relay, startRelay } from '../support/relay.ts';
import { type Address, type Ended, environment, program, type Served } from './server.ts';
import { aMoment, until } from './waiting.ts';
import { freePort } from '../support/sip/free-port.ts';

/** What /ready says of a node; `none` where it does not answer. */
type State = 'ready' | 'standby' | 'degraded' | 'none';

/** A machine with a process of parley, which reaches the database over a network of its own. */
export type Node = {
  name: string;
  url: string;
  network: Relay;
  state(): State;
  /** Starts a process, and resolves when it is active or stands by. */
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the running process has ended. */
  ended(): Promise<Ended>;
};

/** Nodes on one database. Requests go to whichever is ready. */
export type Nodes = Served & { all: readonly Node[]; log(): string };

type Watched = Node & { gone(): Promise<Ended>; look(): Promise<void>; log(): string };

const settingsOfNodes = { 'store.connect_timeout_ms': '2000' };
const startLimitMs = 120_000;
const maxLookMs = 1000;

type NodesOptions = {
  names: readonly string[];
  /** The folder of the server's socket, and the name of an empty database. */
  at: { folder: string; database: string };
  /** Settings of one node, such as a port. */
  own?: (name: string) => Promise<Readonly<Record<string, string>>>;
};

export async function createNodes(
  directory: string,
  settings: Readonly<Record<string, string>>,
  { names, at, own = () => Promise.resolve({}) }: NodesOptions,
): Promise<Nodes> {
  let waiting = Promise.withResolvers<void>();
  const became = (): void => {
    waiting.resolve();
    waiting = Promise.withResolvers();
  };
  const nodes: Watched[] = [];
  for (const name of names) {
    const all = (): Readonly<Record<string, string>> => ({ ...settings, ...ownSettings });
    const ownSettings = await own(name);
    nodes.push(await createNode(name, { directory, settings: all, at, became }));
  }
  let isClosed = false;
  for (const node of nodes) void watch(node, () => isClosed);
  return {
    all: nodes,
    async address(): Promise<Address> {
      for (;;) {
        const active = nodes.find((node) => node.state() === 'ready');
        if (active) return { url: active.url, gone: active.gone() };
        if (isClosed) throw new Error('no node comes back');
        await waiting.promise;
      }
    },
    giveUp() {
      isClosed = true;
      became();
    },
    async kill() {
      for (const node of nodes) node.signal('SIGKILL');
      await Promise.all(nodes.map((node) => node.ended()));
      for (const { network } of nodes) await network.stop();
    },
    log: () => nodes.map((node) => `${node.name}:\n${node.log().slice(-4000)}`).join('\n'),
  };
}

async function watch(node: Watched, isClosed: () => boolean): Promise<void> {
  while (!isClosed()) {
    await node.look();
    await aMoment();
  }
}

type Making = {
  directory: string;
  /** Read when a process starts. */
  settings: () => Readonly<Record<string, string>>;
  at: NodesOptions['at'];
  /** Called when a node has become ready. */
  became: () => void;
};

async function createNode(name: string, { directory, settings, at, became }: Making): Promise<Watched> {
  const network = await startRelay(at.folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let log = '';
  let state: State = 'none';
  let gone = Promise.withResolvers<Ended>();
  let child: ReturnType<typeof spawn> | undefined;
  let last = Promise.resolve<Ended>({ code: null, signal: null });

  function become(next: State, end: Ended = { code: null, signal: null }): void {
    if (state === 'ready' && next !== 'ready') {
      gone.resolve(end);
      gone = Promise.withResolvers();
    }
    const isNew = state !== next && next === 'ready';
    state = next;
    if (isNew) became();
  }

  const begin = (): void => {
    const all = {
      ...settings(),
      ...settingsOfNodes,
      'node.name': name,
      'secrets.file': join(directory, 'secrets.json'),
    };
    const sets = Object.entries(all).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
    const args = [program, 'serve', '--data', join(directory, name), '--port', String(port), ...sets];
    const env = {
      ...environment(),
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
      PARLEY_STORE_URL: `postgres://parley@127.0.0.1:${network.port}/${at.database}`,
    };
    const started = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    started.stderr.setEncoding('utf8').on('data', (text: string) => void (log += text));
    child = started;
    last = new Promise<Ended>((done, failed) => {
      started.once('error', failed).once('close', (code, signal) => {
        become('none', { code, signal });
        done({ code, signal });
      });
    });
  };

  return {
    name,
    url,
    network,
    state: () => state,
    gone: () => gone.promise,
    log: () => log,
    async look() {
      const found = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(maxLookMs) })
        .then(async (answer) => ((await answer.json()) as { status: State }).status)
        .catch(() => 'none' as const);
      become(found);
    },
    async start() {
      begin();
      const early = last.then(({ code }) => {
        throw new Error(`${name} ended with ${code} before it was ready`);
      });
      const isThere = (): Promise<boolean> => Promise.resolve(state === 'ready' || state === 'standby');
      await Promise.race([until(startLimitMs, `${name} is active or stands by`, isThere), early]);
      early.catch(() => undefined);
    },
    signal: (signal) => void child?.kill(signal),
    ended: () => last,
  };
}
