import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A database server of a peer on 127.0.0.1, with a data directory that it does not survive. */
export type PeerServer = { port: number; pid: number; stop(): Promise<void> };

/** Debian keeps PostgreSQL's programs outside the PATH. */
const folders = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
];
const find = (program: string): string | undefined =>
  folders.map((folder) => join(folder, program)).find((path) => existsSync(path));

const packages = { 'redis-server': 'redis-server', initdb: 'postgresql', postgres: 'postgresql' } as const;
type Program = keyof typeof packages;

/** Debian packages of programs that are missing. */
export function missingPackages(): string[] {
  const missing = (Object.keys(packages) as Program[]).filter((program) => find(program) === undefined);
  return [...new Set(missing.map((program) => packages[program]))];
}

/** Redis as BullMQ's documentation asks for: an append-only file that is synced every second, and nothing is evicted. */
export function startRedis(): Promise<PeerServer> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-redis-'));
  return startServer(directory, (port) => [
    find('redis-server')!,
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--daemonize', 'no'],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''],
  ]);
}

/** PostgreSQL with its own defaults: every COMMIT syncs. It refuses to run as root, so then it runs as the user `postgres`. */
export function startPostgres(): Promise<PeerServer> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-postgres-'));
  const owner = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const initial = ['-D', directory, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  execFileSync(find('initdb')!, initial, { stdio: 'ignore', cwd: directory, ...owner });
  const given = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  return startServer(directory, (port) => [find('postgres')!, '-D', directory, '-p', String(port), ...given], owner);
}

type Owner = { uid: number; gid: number };

const idsOf = (user: string): Owner => {
  const id = (option: string): number => Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

async function startServer(
  directory: string,
  commandOf: (port: number) => readonly string[],
  owner?: Owner,
): Promise<PeerServer> {
  const port = await freePort();
  const [program = '', ...args] = commandOf(port);
  const file = `${directory}.log`;
  const log = openSync(file, 'w');
  const child = spawn(program, args, { stdio: ['ignore', log, log], cwd: directory, ...owner });
  while (!(await accepts(port))) {
    if (child.exitCode !== null)
      throw new Error(`${program} ended with ${child.exitCode}:\n${readFileSync(file, 'utf8')}`);
    await setTimeout(20);
  }
  return { port, pid: child.pid!, stop: () => stop(child, [directory, file]) };
}

/** SIGINT lets PostgreSQL shut down at once, without waiting for its clients. */
async function stop(child: ChildProcess, files: readonly string[]): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGINT');
  await ended;
  for (const file of files) rmSync(file, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
