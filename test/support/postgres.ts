import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const installations = '/usr/lib/postgresql';

/**
 * The folder that POSTGRES_BIN names, or that of the newest PostgreSQL server of the machine (Debian's `postgresql`); undefined
 * without one.
 */
export function postgresPrograms(): string | undefined {
  const named = process.env['POSTGRES_BIN'];
  if (named !== undefined) return named;
  if (!existsSync(installations)) return undefined;
  const folders = readdirSync(installations)
    .filter((version) => existsSync(join(installations, version, 'bin/postgres')))
    .toSorted((a, b) => Number(b) - Number(a));
  return folders[0] === undefined ? undefined : join(installations, folders[0], 'bin');
}

export type PostgresServer = {
  /** Runs SQL in a database by psql, statement after statement, also after one that failed. Returns what it printed. */
  run(database: string, sql: string): string;
  /** The URL of a database, by the server's socket. */
  url(database: string): string;
  /** The folder of the socket on which the server listens. */
  folder: string;
  /** Ends all sessions, `immediate` as a crash does, and starts again. */
  restart(mode: 'fast' | 'immediate'): void;
  stop(): void;
};

/** The user that runs the server where the tests run as root, whom it refuses. */
export const nobody = 65_534;

/**
 * Starts a server of its own that listens on a socket in a new folder under /tmp. `isDurable`: what it has acknowledged is on disk.
 */
export function startPostgres(programs: string, { isDurable = false } = {}): PostgresServer {
  const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const folder = mkdtempSync(join(tmpdir(), 'parley-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  if ('uid' in asUser) for (const path of [folder, data]) chownSync(path, nobody, nobody);
  const call = (program: string, args: readonly string[], input = ''): string => {
    const path = join(programs, program);
    // Packages of a server alone have no psql; that of another version does as well.
    return execFileSync(existsSync(path) ? path : program, [...args], {
      ...asUser,
      cwd: folder,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 64 * 1_048_576,
    });
  };
  const login = ['-U', 'parley', '-A', 'trust'];
  call('initdb', ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync']);
  const options = `-c listen_addresses='' -c fsync=${isDurable ? 'on' : 'off'} -c synchronous_commit=${isDurable ? 'on' : 'off'} -c max_connections=200 -k ${folder}`;
  call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  return {
    url: (database) => `postgres://parley@localhost/${database}?host=${encodeURIComponent(folder)}`,
    folder,
    restart: (mode) =>
      void call('pg_ctl', ['-D', data, '-w', '-m', mode, '-l', join(folder, 'log'), '-o', options, 'restart']),
    run(database, sql) {
      const file = join(folder, 'script.sql');
      writeFileSync(file, sql);
      return call('psql', ['-h', folder, '-U', 'parley', '-d', database, '-X', '-q', '-A', '-t', '-f', file]);
    },
    stop() {
      call('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      rmSync(folder, { recursive: true });
    },
  };
}
