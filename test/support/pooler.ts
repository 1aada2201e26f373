import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nobody, type PostgresServer } from './postgres.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** For `skip`: why there is no pooler, or false. */
export const withoutPooler = program === undefined && 'needs pgbouncer (Debian: pgbouncer)';

export type Pooler = {
  /** The URL of a database, by way of the pooler. */
  url(database: string): string;
  stop(): Promise<void>;
};

const port = 6432;

/** Starts pgbouncer on a socket of its own, before a server. Its few connections to the server are shared by all. */
export async function startPooler(
  server: PostgresServer,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<Pooler> {
  const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const folder = mkdtempSync(join(tmpdir(), 'parley-pooler-'));
  if ('uid' in asUser) chownSync(folder, nobody, nobody);
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${server.folder} user=parley
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${port}
auth_type = any
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 500
${keepsNamesApart() ? 'max_prepared_statements = 0\n' : ''}`,
  );
  const pooler = spawn(program!, [settings], { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] });
  await listening(pooler);
  return {
    url: (database) => `postgres://parley@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether it would keep named statements apart by itself: since 1.21. */
function keepsNamesApart(): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program!, ['--version'], { encoding: 'utf8' }))!;
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Resolves when it takes connections. */
async function listening(pooler: ChildProcess): Promise<void> {
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  pooler.stderr!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.includes('listening on unix:')) resolve();
  });
  pooler.once('error', reject).once('exit', () => reject(new Error(`pgbouncer ended:\n${printed}`)));
  await promise;
}
