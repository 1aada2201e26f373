// Long: it starts some fifteen processes.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { start } from '../../src/main.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { startMailbox } from '../support/mailbox.ts';
import { runHere, scratch, serve, type Server } from './support.ts';

/** People on the command line: the same whether a server runs or not. */

let template: string;
before(async () => {
  template = mkdtempSync(join(tmpdir(), 'parley-people-'));
  const argvSettings = Object.entries({ data: template, 'http.port': '0' }).map(([path, value]) => ({ path, value }));
  const { config } = loadConfig({ argvSettings, env: {}, readFile: () => '' });
  await (await start({ config, log: createLog('silent') })).stop();
});
after(() => rmSync(template, { recursive: true }));

function installation(t: TestContext) {
  const data = join(scratch(t), 'data');
  cpSync(template, data, { recursive: true });
  return { data, parley: (...args: string[]) => runHere(t, [...args, '--data', data]) };
}

const password = 'correct horse battery staple';
const post = (server: Server, path: string, body: object): Promise<Response> =>
  fetch(`${server.ready.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const tokenIn = (link: string): string => new URL(link.trim()).searchParams.get('token')!;
const setUp = async (server: Server, link: string, email: string): Promise<number> =>
  (await post(server, '/auth/setup', { token: tokenIn(link), email, password })).status;

test('each start prints a new set-up link until there is a person; setup-link prints another in between', async (t) => {
  const { data, parley } = installation(t);
  const offline = await parley('users', 'setup-link');
  assert.deepEqual([offline.code, /^http:\/\/127\.0\.0\.1:8080\/setup\?token=\S+$/.test(offline.out)], [0, true]);
  const server = await serve(t, ['--data', data]);
  const { setup_url: printed, url } = server.ready;
  assert.equal(await setUp(server, offline.out, 'a@example.com'), 401, 'the start made a newer one');
  const online = await parley('users', 'setup-link');
  assert.ok(online.out.startsWith(`${url}/setup?token=`));
  assert.equal(await setUp(server, printed!, 'a@example.com'), 401);
  assert.equal(await setUp(server, online.out, 'a@example.com'), 200);
  const first = await server.stop();
  assert.ok(first.out.includes(`Set up the dashboard: ${printed}`));
  const again = await serve(t, ['--data', data]);
  assert.equal(again.ready.setup_url, null);
  assert.doesNotMatch((await again.stop()).out, /Set up the dashboard/);
});

test('people are listed, changed, given a link, unlocked and removed', async (t) => {
  const { data, parley } = installation(t);
  const server = await serve(t, ['--data', data]);
  assert.equal(await setUp(server, server.ready.setup_url!, 'ada@example.com'), 200);
  const create = (email: string) =>
    fetch(`${server.ready.url}/api/v1/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.ready.access_token}` },
      body: JSON.stringify({ email, role: 'viewer' }),
    });
  assert.equal((await create('grace@example.com')).status, 200);

  const listed = await parley('users', 'list');
  assert.match(listed.out, /^ID +ROLE +STATUS +LAST LOG-IN +ORGANIZATION +EMAIL\n/);
  assert.match(
    listed.out,
    /viewer +invited +never +\S+ +grace@example.com\n\S+ +admin +active +20\S+ +\S+ +ada@example.com$/,
  );

  assert.equal((await parley('users', 'role', 'Grace@example.com', 'member')).code, 0);
  const [grace] = JSON.parse((await parley('users', 'list', '--json')).out) as Array<{ role: string; email: string }>;
  assert.deepEqual([grace!.email, grace!.role], ['grace@example.com', 'member']);
  const king = await parley('users', 'role', 'grace@example.com', 'king');
  assert.deepEqual([king.code, /admin/.test(king.err)], [2, true], king.err);
  assert.equal((await parley('users', 'role', 'grace@example.com')).code, 2);
  assert.equal((await parley('users', 'role', 'grace@example.com', '--role', 'member')).code, 0, 'as of create');

  const logIn = async (given = password) =>
    (await post(server, '/session', { email: 'ada@example.com', password: given })).status;
  for (let index = 0; index < 10; index++) assert.equal(await logIn('wrong password'), 401);
  assert.equal(await logIn(), 401, 'locked');
  assert.equal((await parley('users', 'unlock', 'ada@example.com')).code, 0);
  assert.equal(await logIn(), 200);

  const link = await parley('users', 'link', 'grace@example.com');
  assert.match(link.err, /works once, and for 72 hours/);
  assert.equal(await setUp(server, link.out, 'grace@example.com'), 200);

  const last = await parley('users', 'remove', 'ada@example.com');
  assert.deepEqual([last.code, last.out], [1, '']);
  assert.match(last.err, /last admin/);
  assert.equal((await parley('users', 'remove', 'grace@example.com')).code, 0);
  assert.deepEqual((await parley('users', 'link', 'grace@example.com')).err, 'No such user.');
  await server.stop();
  assert.equal((await parley('users', 'role', 'ada@example.com', '--role', 'viewer')).code, 1, 'also without a server');
  const offline = await parley('users', 'link', 'ada@example.com');
  assert.equal(offline.code, 0);
  assert.match(offline.err, /not running\. If it starts at another address than http:\/\/127\.0\.0\.1:8080, put/);
  const anyPort = await parley('users', 'link', 'ada@example.com', '--set', 'http.port=0');
  assert.match(anyPort.out, /^\/setup\?token=\S+$/);
  assert.match(anyPort.err, /Put the one that it prints before the link/);
  const behindProxy = ['--set', 'http.port=0', '--set', 'http.public_url=https://parley.example.com/'];
  const published = await parley('users', 'link', 'ada@example.com', ...behindProxy);
  assert.match(published.out, /^https:\/\/parley\.example\.com\/setup\?token=/);
  assert.doesNotMatch(published.err, /not running/);
});

test('a link made while the server is stopped is e-mailed with the address at which the server then listens', async (t) => {
  const { data, parley } = installation(t);
  const first = await serve(t, ['--data', data]);
  assert.equal(await setUp(first, first.ready.setup_url!, 'ada@example.com'), 200);
  await first.stop();
  const mailbox = await startMailbox();
  t.after(() => mailbox.close());
  const settings = Object.entries(mailbox.settings).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const { out: link } = await parley('users', 'link', 'ada@example.com', '--set', 'http.port=0', ...settings);
  const server = await serve(t, ['--data', data, ...settings]);
  const { to, content } = await mailbox.first;
  assert.deepEqual(to, ['ada@example.com']);
  assert.ok(content.includes(`${server.ready.url}${link.trim()}`), content);
  await server.stop();
});

test('a restore ends the sessions and links of the backup; people log in again', async (t) => {
  const { data, parley } = installation(t);
  const file = join(scratch(t), 'backup.db');
  const server = await serve(t, ['--data', data]);
  const body = { token: tokenIn(server.ready.setup_url!), email: 'ada@example.com', password };
  const cookie = (await post(server, '/auth/setup', body)).headers.getSetCookie()[0]!.split(';')[0]!;
  const { out: link } = await parley('users', 'link', 'ada@example.com');
  assert.equal((await parley('backup', file)).code, 0);
  await server.stop();
  assert.equal((await parley('restore', file)).code, 0);
  const restored = await serve(t, ['--data', data]);
  const { url } = restored.ready;
  assert.equal((await fetch(`${url}/api/v1/contacts`, { headers: { cookie } })).status, 401);
  assert.equal(await setUp(restored, link, 'ada@example.com'), 401);
  assert.equal((await post(restored, '/session', { email: 'ada@example.com', password })).status, 200);
  await restored.stop();
});
