import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test, type TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';
import type { Config } from '../../src/base/config/schema.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { createLog } from '../../src/base/log.ts';
import { runCli } from '../../src/cli/index.ts';
import { start } from '../../src/main.ts';
import { restoreBackup } from '../../src/main/restore.ts';
import { ask, type Result, run, scratch, serve, type Server } from './support.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n$/;
const password = 'correct horse battery staple';
const mode = (path: string): number => statSync(path).mode & 0o777;

type Parley = (args: readonly string[], input?: string) => Promise<Result>;

/** Runs a command line in this process, which takes a tenth of the time of a new one. */
async function inProcess(t: TestContext, args: readonly string[]): Promise<Result> {
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

let template: { data: string; orgId: string; adminKey: string };
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

function configWith(settings: Readonly<Record<string, string>>): Config {
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  return loadConfig({ argvSettings, env: {}, readFile: () => '' }).config;
}

/** A data directory on which a server has run once. */
function installation(t: TestContext) {
  const data = join(scratch(t), 'data');
  cpSync(template.data, data, { recursive: true });
  // A command that reads standard input needs its own process.
  const parley: Parley = (args, input) =>
    input === undefined ? inProcess(t, [...args, '--data', data]) : run([...args, '--data', data], {}, input);
  return { ...template, data, parley };
}

/** The output of a command that must print a single word, without the line end. */
const printed = (result: Result): string => {
  assert.equal(result.code, 0, result.err);
  assert.match(result.out, /^\S+\n$/);
  return result.out.trimEnd();
};

const orgOf = async (server: Server, key: string): Promise<unknown> => {
  const answer = await ask(`${server.ready.url}/api/v1/organization`, key);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
};

const logIn = (server: Server, email: string): Promise<Response> =>
  fetch(`${server.ready.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

/** Creates an organization, and a key and a user in it. Each command prints nothing but the id or the key to standard output. */
async function populate(parley: Parley, email: string) {
  const created = await parley(['orgs', 'create', 'Second & Sons']);
  assert.match(created.out, uuid);
  const orgId = printed(created);
  const key = printed(await parley(['keys', 'create', '--name', 'Deploy', '--role', 'admin', '--org', orgId]));
  assert.match(key, /^pk_\w{36}$/);
  const user = ['users', 'create', email, '--role', 'admin', '--password-stdin', '--org', orgId];
  assert.match((await parley(user, `${password}\n`)).out, uuid);
  return { orgId, key };
}

suite('administration commands', () => {
  test('create organizations, keys and users whether a server runs or not', async (t) => {
    const { data, orgId, parley } = installation(t);
    const offline = await populate(parley, 'off@example.com');
    const server = await serve(t, ['--data', data]);
    assert.equal(mode(join(data, 'parley.sock')), 0o600);
    const online = await populate(parley, 'on@example.com');
    for (const { orgId: id, key } of [offline, online]) assert.equal(await orgOf(server, key), id);
    const audit = await (await ask(`${server.ready.url}/api/v1/audit`, online.key)).json();
    assert.deepEqual(
      (audit as { data: Array<{ operation: string; actor: object }> }).data.map(({ operation, actor }) => [
        operation,
        actor,
      ]),
      ['users.create', 'keys.create', 'orgs.create'].map((operation) => [
        operation,
        { kind: 'operator', id: null, name: null },
      ]),
    );
    for (const email of ['off@example.com', 'ON@example.com']) assert.equal((await logIn(server, email)).status, 200);
    const ofFirst = printed(
      await parley(['keys', 'create', '--name', 'First', '--role', 'viewer', '--org', template.orgId]),
    );
    assert.equal(await orgOf(server, ofFirst), orgId);

    const keys = JSON.parse((await parley(['keys', 'list', '--json'])).out) as Array<{ id: string; name: string }>;
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['First', 'First admin key'],
    );
    const listed = (await parley(['keys', 'list', '--org', offline.orgId])).out;
    assert.match(listed, /^ID +ROLE +CREATED +LAST USED +EXPIRES +NAME\n\S+ +admin +\S+ +20\S+ +never +Deploy\n$/);
    assert.equal((await parley(['keys', 'revoke', keys[0]!.id])).code, 0);
    assert.equal((await ask(`${server.ready.url}/api/v1/organization`, ofFirst)).status, 401, 'immediately');
    const last = await parley(['keys', 'revoke', keys[1]!.id]);
    assert.equal(last.code, 1);
    assert.match(last.err, /last admin key/);
    const again = await parley(['keys', 'revoke', keys[0]!.id]);
    assert.deepEqual([again.code, again.err], [1, 'No such API key.\n']);
    await server.stop();
    assert.equal(existsSync(join(data, 'parley.sock')), false);
  });

  test('report a directory without data by name, and write nothing into it', async (t) => {
    const data = join(scratch(t), 'typo');
    const { code, err } = await inProcess(t, ['orgs', 'create', 'x', '--data', data]);
    assert.equal(code, 1);
    assert.match(err, /there is no data in .*typo/);
    assert.equal(existsSync(data), false);
  });

  test('find the socket in a temporary directory if the path of the data directory is too long for it', async (t) => {
    const temporary = scratch(t);
    const data = join(scratch(t), 'd'.repeat(120));
    const server = await serve(t, ['--data', data], { TMPDIR: temporary });
    const pointer = join(data, 'parley.sock.path');
    const [directory] = readdirSync(temporary);
    assert.equal(readFileSync(pointer, 'utf8'), `${join(temporary, directory!, 'parley.sock')}\n`);
    assert.deepEqual([mode(pointer), mode(join(temporary, directory!))], [0o600, 0o700]);
    assert.match((await run(['orgs', 'create', 'x', '--data', data])).out, uuid);
    await server.stop();
    assert.deepEqual([existsSync(pointer), readdirSync(temporary)], [false, []]);
  });

  test('work although a killed server left its socket behind', async (t) => {
    const { data, parley } = installation(t);
    const server = await serve(t, ['--data', data]);
    process.kill(server.ready.pid, 'SIGKILL');
    await server.ended;
    assert.equal(existsSync(join(data, 'parley.sock')), true);
    assert.match((await parley(['orgs', 'create', 'x'])).out, uuid);
    const next = await serve(t, ['--data', data]);
    assert.match((await parley(['orgs', 'create', 'y'])).out, uuid);
    await next.stop();
  });

  test('get one answer per connection, and an error message for nonsense', async (t) => {
    const { data } = installation(t);
    const server = await serve(t, ['--data', data]);
    const send = (line: string): Promise<string> => text(createConnection(join(data, 'parley.sock')).end(line));
    assert.deepEqual(JSON.parse(await send('{"task":"shutdown","args":{}}\n')), {
      ok: false,
      message: 'The running server has no task shutdown; it may be another version.',
    });
    assert.match(await send('nonsense\n'), /^\{"ok":false,"message":".*JSON.*"\}\n$/);
    assert.match(await send('{"task":"keys.create","args":{"nam":"x"}}\n'), /did you mean name/);
    assert.equal(await send(''), '');
    assert.equal(await send('x'.repeat(100_000)), '');
    assert.equal((await fetch(`${server.ready.url}/ready`)).status, 200);
    await server.stop();
  });
});

test('wrong usage exits with 2 and shows the right usage', async (t) => {
  const wrong = [
    ['orgs'],
    ['orgs', 'create'],
    ['orgs', 'create', 'One', 'Two'],
    ['keys', 'create', '--role', 'admin'],
    ['keys', 'create', '--name', 'x', '--role', 'owner'],
    ['keys', 'shred'],
    ['users', 'create', 'a@example.com', '--role', 'admin'],
    ['backup'],
    ['restore'],
    ['doctor', 'now'],
  ];
  for (const args of wrong) {
    const { code, out, err } = await inProcess(t, args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, /Usage: parley /);
  }
});

test('a command that fails exits with 1 and says why, in the same words whether a server runs or not', async (t) => {
  const { data, parley } = installation(t);
  const refusals = async () => [
    await inProcess(t, ['orgs', 'create', ' ', '--data', data]),
    await inProcess(t, ['keys', 'list', '--org', '0199aaaa-0000-7000-8000-00000000c0de', '--data', data]),
    await inProcess(t, ['keys', 'revoke', 'mine', '--data', data]),
    await parley(['users', 'create', 'nobody', '--role', 'member', '--password-stdin'], password),
    await parley(['users', 'create', 'x@example.com', '--role', 'member', '--password-stdin'], 'short'),
  ];
  const offline = await refusals();
  const server = await serve(t, ['--data', data]);
  assert.deepEqual(await refusals(), offline);
  await server.stop();
  assert.deepEqual(offline, [
    { code: 1, out: '', err: 'name must not be blank\n' },
    { code: 1, out: '', err: 'No such organization.\n' },
    { code: 1, out: '', err: 'id must be a UUID\n' },
    { code: 1, out: '', err: 'email must be an e-mail address\n' },
    { code: 1, out: '', err: 'password: must have 8 to 1024 characters\n' },
  ]);
});

test('with several organizations, a key or person needs --org; the refusal names them', async (t) => {
  const { parley, orgId: first } = installation(t);
  printed(await parley(['keys', 'create', '--name', 'Only', '--role', 'admin']));
  const second = printed(await parley(['orgs', 'create', 'Second & Sons']));
  const user = ['users', 'create', 'a@example.com', '--role', 'admin', '--password-stdin'];
  for (const refused of [
    await parley(['keys', 'create', '--name', 'Which', '--role', 'admin']),
    await parley(user, `${password}\n`),
  ]) {
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /There are several organizations; choose one with --org ID/);
    assert.ok(refused.err.includes(`${first}  My organization`) && refused.err.includes(`${second}  Second & Sons`));
  }
  for (let number = 3; number <= 21; number += 1) await parley(['orgs', 'create', `Number ${number}`]);
  const many = await parley(['keys', 'create', '--name', 'Which', '--role', 'admin']);
  assert.match(many.err, /Number 20\n {2}and more\n$/);
});

suite('backup and restore', () => {
  test('a backup of a running server restores everything, into the same directory and into another', async (t) => {
    const { data, adminKey, parley } = installation(t);
    const directory = scratch(t);
    const file = join(directory, 'backup.db');
    const server = await serve(t, ['--data', data]);
    const { orgId, key } = await populate(parley, 'kept@example.com');
    const backup = await parley(['backup', file]);
    assert.deepEqual([backup.code, backup.out], [0, `${file}\n${file}.secrets.json\n`]);
    assert.deepEqual([mode(file), mode(`${file}.secrets.json`)], [0o600, 0o600]);
    const lost = printed(
      await parley(['keys', 'create', '--name', 'Later', '--role', 'admin', '--org', template.orgId]),
    );
    const refused = await parley(['restore', file]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, new RegExp(`in use by process ${server.ready.pid}.*stop it first`));
    await server.stop();

    assert.equal((await parley(['backup', file])).code, 1, 'a backup never overwrites a file');
    const elsewhere = join(directory, 'elsewhere');
    assert.equal((await run(['restore', file, '--data', elsewhere])).code, 0);
    const restored = await parley(['restore', file]);
    assert.equal(restored.code, 0, restored.err);
    for (const at of [elsewhere, data]) {
      const again = await serve(t, ['--data', at]);
      assert.equal(await orgOf(again, key), orgId);
      assert.equal((await ask(`${again.ready.url}/api/v1/organization`, adminKey)).status, 200);
      assert.equal((await ask(`${again.ready.url}/api/v1/organization`, lost)).status, 401, 'created after the backup');
      assert.equal((await logIn(again, 'kept@example.com')).status, 200);
      const bearer = { authorization: `Bearer ${server.ready.access_token}` };
      const asToken = await fetch(`${again.ready.url}/api/v1/organization`, { headers: bearer });
      assert.equal(asToken.status, 200, 'the secrets are the same');
      await again.stop();
    }
    const kept = readdirSync(data).filter((name) => name.includes('.before-restore-'));
    assert.equal(kept.length, 2);
    for (const name of kept) assert.ok(restored.err.includes(name), name);
    assert.deepEqual(
      readdirSync(data).filter((name) => name.includes('restoring')),
      [],
    );
  });

  test('a backup works without a server, and leaves nothing behind if it cannot be written', async (t) => {
    const { parley } = installation(t);
    const directory = scratch(t);
    assert.equal((await parley(['backup', join(directory, 'cold.db')])).code, 0);
    const nowhere = await parley(['backup', join(directory, 'missing', 'x.db')]);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.err, /missing/);
    assert.deepEqual(readdirSync(directory).toSorted(), ['cold.db', 'cold.db.secrets.json']);
  });

  test('restoring a file that is not a sound backup changes nothing', async (t) => {
    const { data, parley } = installation(t);
    const directory = scratch(t);
    const good = join(directory, 'good.db');
    await parley(['backup', good]);
    const bad = (name: string, content: Buffer): string => {
      const file = join(directory, name);
      writeFileSync(file, content);
      copyFileSync(`${good}.secrets.json`, `${file}.secrets.json`);
      return file;
    };
    const whole = readFileSync(good);
    const damaged = Buffer.from(whole);
    damaged.fill(0x5a, 4096 * 3, 4096 * 20);
    const alone = bad('alone.db', whole);
    rmSync(`${alone}.secrets.json`);
    const files = [
      join(directory, 'missing.db'),
      alone,
      bad('empty.db', Buffer.alloc(0)),
      bad('text.db', Buffer.from('no database at all')),
      bad('damaged.db', damaged),
      bad('half.db', whole.subarray(0, 4096 * 5)),
    ];
    const present = readFileSync(join(data, 'parley.db'));
    const config = configWith({ data });
    for (const file of files) {
      await assert.rejects(
        restoreBackup(config, file, { nowMs: 0 }),
        /does not exist|is not a backup|cannot be used|malformed/,
        file,
      );
    }
    assert.deepEqual(
      readdirSync(data).filter((name) => name.includes('restor')),
      [],
    );
    assert.equal(readFileSync(join(data, 'parley.db')).equals(present), true);
  });

  test('a restore replaces a damaged database and keeps its file', async (t) => {
    const { data, parley } = installation(t);
    const file = join(scratch(t), 'good.db');
    await parley(['backup', file]);
    writeFileSync(join(data, 'parley.db'), 'no database any more');
    assert.equal((await parley(['doctor'])).code, 1);
    assert.equal((await parley(['restore', file])).code, 0);
    assert.equal((await parley(['doctor'])).code, 0);
    const [kept] = readdirSync(data).filter((name) => name.startsWith('parley.db.before-restore-'));
    assert.equal(readFileSync(join(data, kept!), 'utf8'), 'no database any more');
  });
});

suite('doctor', () => {
  type Report = {
    ok: boolean;
    findings: Array<{ check: string; status: string; message: string; duration_ms?: number }>;
  };
  const report = ({ out }: Result): Report => JSON.parse(out) as Report;
  const statusOf = ({ findings }: Report, check: string) => findings.find((one) => one.check === check)?.status;

  test('reports that a sound installation is ok, running or not', async (t) => {
    const { data, parley } = installation(t);
    const cold = await parley(['doctor', '--json']);
    const server = await serve(t, ['--data', data]);
    const warm = await parley(['doctor', '--json']);
    const lines = await parley(['doctor']);
    await server.stop();
    assert.deepEqual([cold.code, warm.code, lines.code], [0, 0, 0], cold.out + warm.out);
    for (const result of [cold, warm]) {
      assert.equal(report(result).ok, true);
      for (const check of ['server', 'permissions', 'database', 'queue', 'webhooks']) {
        assert.equal(statusOf(report(result), check), 'ok', check);
      }
    }
    assert.match(lines.out, /^ok {4}server {7}the server is running$/m);
    assert.deepEqual(
      readdirSync(data).filter((name) => name.startsWith('examined')),
      [],
    );
  });

  test('says "ok" only for services that it has reached, and gives the reason for all others', async (t) => {
    const { data } = installation(t);
    const answers = { status: 200, type: 'application/json', body: '{"keys":[{"kty":"OKP"}]}' };
    const keySets = createServer((_request, response) => {
      response.writeHead(answers.status, { 'content-type': answers.type }).end(answers.body);
    });
    const mail = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password: sent }, _session, callback) {
        if (sent === 'let me in') callback(null, { user: username });
        else callback(new Error(`not ${sent}: ${Buffer.from(`\0${username}\0${sent}`).toString('base64')}`));
      },
    });
    const listen = async (server: typeof keySets | (typeof mail)['server']) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    };
    t.after(() => [keySets.close(), mail.close()]);
    const url = `http://127.0.0.1:${await listen(keySets)}/jwks`;
    const port = await listen(mail.server);
    const findings = async (emailPassword: string) => {
      const settings = [
        `auth.jwks_url=${url}`,
        'auth.issuer=https://login.example.com',
        'auth.audience=parley',
        'email.host=127.0.0.1',
        `email.port=${port}`,
        'email.user=notices',
        `email.password=${emailPassword}`,
      ];
      const result = await inProcess(t, [
        'doctor',
        '--json',
        '--data',
        data,
        ...settings.flatMap((one) => ['--set', one]),
      ]);
      const all = report(result).findings.filter(({ check }) => ['jwks', 'email'].includes(check));
      assert.equal(result.code, all.every(({ status }) => status === 'ok') ? 0 : 1);
      for (const { duration_ms: ms } of all) assert.equal(typeof ms, 'number');
      return Object.fromEntries(all.map(({ check, status, message }) => [check, `${status}: ${message}`]));
    };
    assert.deepEqual(await findings('let me in'), {
      jwks: 'ok: 1 keys of https://login.example.com were fetched',
      email: `ok: 127.0.0.1:${port} answered and accepted the log-in of notices`,
    });
    answers.status = 500;
    const { jwks: of500, email } = await findings('hunter22');
    assert.equal(of500, `fail: ${url} answered with status 500 instead of a key set`);
    assert.match(email!, /^fail: Invalid login: 535 .*\*{8}: \*{8}/);
    Object.assign(answers, { status: 200, type: 'text/html', body: '<html>Log in</html>' });
    assert.match((await findings('let me in'))['jwks']!, /^fail: .* is not a JSON Web Key Set$/);
    answers.body = '{"keys":[]}';
    assert.match((await findings('let me in'))['jwks']!, /^fail: .* has no keys$/);
    await new Promise<void>((resolve) => mail.close(resolve));
    assert.match((await findings('let me in'))['email']!, /^fail: .*ECONNREFUSED/);
  });

  test('warns of readable secrets and fails without data', async (t) => {
    const { data, parley } = installation(t);
    chmodSync(join(data, 'secrets.json'), 0o644);
    const open = await parley(['doctor', '--json']);
    assert.deepEqual([open.code, statusOf(report(open), 'permissions')], [0, 'warn']);
    rmSync(data, { recursive: true });
    mkdirSync(data);
    const empty = await parley(['doctor', '--json']);
    assert.deepEqual([empty.code, statusOf(report(empty), 'data')], [1, 'fail']);
  });
});
