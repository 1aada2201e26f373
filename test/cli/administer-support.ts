import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Config } from '../../src/base/config/schema.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { createLog } from '../../src/base/log.ts';
import { runCli } from '../../src/cli/index.ts';
import { start } from '../../src/main.ts';
import { ask, run, scratch, type Result, type Server } from './support.ts';

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n$/;
export const password = 'correct horse battery staple';
export const mode = (path: string): number => statSync(path).mode & 0o777;

type Parley = (args: readonly string[], input?: string) => Promise<Result>;

/** Runs a command line in this process, which takes a tenth of the time of a new one. */
export async function inProcess(t: TestContext, args: readonly string[]): Promise<Result> {
  const result: Result = { code: null, out: '', err: '' };
  const log = t.mock.method(console, 'log', (line: string) => {
    result.out += `${line}\n`;
  });
  const error = t.mock.method(console, 'error', (line: string) => {
    result.err += `${line}\n`;
  });
  result.code = await runCli(args);
  log.mock.restore();
  error.mock.restore();
  return result;
}

export let template: { data: string; orgId: string; adminKey: string };
before(async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  const { url, orgId, apiKey, stop } = await start({
    config: configWith({ data, 'http.port': '0' }),
    log: createLog('silent'),
  });
  template = { data, orgId, adminKey: apiKey! };
  assert.match(url, /^http/);
  await stop();
});
after(() => rmSync(template.data, { recursive: true }));

export function configWith(settings: Readonly<Record<string, string>>): Config {
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  return loadConfig({ argvSettings, env: {}, readFile: () => '' }).config;
}

/** A data directory on which a server has run once. */
export function installation(t: TestContext) {
  const data = join(scratch(t), 'data');
  cpSync(template.data, data, { recursive: true });
  // A command that reads standard input needs its own process.
  const parley: Parley = (args, input) =>
    input === undefined ? inProcess(t, [...args, '--data', data]) : run([...args, '--data', data], {}, input);
  return { ...template, data, parley };
}

/** The output of a command that must print a single word, without the line end. */
export const printed = (result: Result): string => {
  assert.equal(result.code, 0, result.err);
  assert.match(result.out, /^\S+\n$/);
  return result.out.trimEnd();
};

export const orgOf = async (server: Server, key: string): Promise<unknown> => {
  const answer = await ask(`${server.ready.url}/api/v1/organization`, key);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
};

export const logIn = (server: Server, email: string): Promise<Response> =>
  fetch(`${server.ready.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

/** Creates an organization, and a key and a user in it. Each command prints nothing but the id or the key to standard output. */
export async function populate(parley: Parley, email: string) {
  const created = await parley(['orgs', 'create', 'Second & Sons']);
  assert.match(created.out, uuid);
  const orgId = printed(created);
  const key = printed(await parley(['keys', 'create', '--name', 'Deploy', '--role', 'admin', '--org', orgId]));
  assert.match(key, /^pk_\w{36}$/);
  const user = ['users', 'create', email, '--role', 'admin', '--password-stdin', '--org', orgId];
  assert.match((await parley(user, `${password}\n`)).out, uuid);
  return { orgId, key };
}
