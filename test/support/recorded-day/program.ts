import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server with a test clock, started from any checkout, so that versions can be compared. */
export type Program = {
  url: string;
  orgId: string;
  apiKey: string;
  /** Creates another organization; returns its id and an admin's key. */
  newOrganization(name: string): { orgId: string; apiKey: string };
  stop(): Promise<void>;
};

const settings = [
  'log.level=error',
  'http.rate_limit.per_second=0',
  'webhooks.allow_http_loopback=true',
  'contacts.default_country=DE',
] as const;

export async function startProgram(checkout: string, testClock: string): Promise<Program> {
  const directory = mkdtempSync(join(tmpdir(), 'day-'));
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary);
  const readyFile = join(directory, 'ready.json');
  const runtime = join(checkout, 'node_modules/.bin/node');
  const program = join(checkout, 'bin/parley.ts');
  const others = Object.entries(process.env).filter(([name]) => !/^PARLEY_|^NODE_/.test(name));
  const env = { ...Object.fromEntries(others), TMPDIR: temporary };
  const args = ['serve', '--ephemeral', '--test-clock', testClock, '--port', '0', '--ready-file', readyFile];
  const sets = settings.flatMap((setting) => ['--set', setting]);
  const appeared = appearance(directory, readyFile);
  const child = spawn(runtime, [program, ...args, ...sets], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close').then(() => 'ended');
  if ((await Promise.race([appeared, ended])) === 'ended') throw new Error('the server ended before it was ready');
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string; org_id: string; api_key: string };
  const command = (words: readonly string[]): string => {
    const data = join(
      temporary,
      readdirSync(temporary).find((name) => existsSync(join(temporary, name, 'parley.db')))!,
    );
    return execFileSync(runtime, [program, ...words, '--data', data], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  return {
    url: ready.url,
    orgId: ready.org_id,
    apiKey: ready.api_key,
    newOrganization(name) {
      const orgId = command(['orgs', 'create', name]);
      return { orgId, apiKey: command(['keys', 'create', '--name', 'Day', '--role', 'admin', '--org', orgId]) };
    },
    stop: () => stop(child, ended, directory),
  };
}

async function appearance(directory: string, file: string): Promise<string> {
  for await (const _ of watch(directory)) if (existsSync(file)) break;
  return 'ready';
}

async function stop(child: ChildProcess, ended: Promise<unknown>, directory: string): Promise<void> {
  child.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
}
