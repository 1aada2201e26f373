// Long: it starts dozens of processes, servers and backups.
import { hash } from 'node:crypto';
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { restoreBackup } from '../../src/main/restore.ts';
import { makeDatabaseBeforeBaseline } from '../support/database-before-baseline.ts';
import { configWith, inProcess, installation, password, printed } from './administer-support.ts';
import { run, scratch, serve, type Result } from './support.ts';

suite('administration commands', () => {
  test('report a directory without data by name, and write nothing into it', async (t) => {
    const data = join(scratch(t), 'typo');
    const { code, err } = await inProcess(t, ['orgs', 'create', 'x', '--data', data]);
    assert.equal(code, 1);
    assert.match(err, /there is no data in .*typo/);
    assert.equal(existsSync(data), false);
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

  test('a backup of a build from before the first release is refused in the words of a start, and nothing is moved', async (t) => {
    const { data, parley } = installation(t);
    const old = join(scratch(t), 'old.db');
    makeDatabaseBeforeBaseline(old);
    copyFileSync(join(data, 'secrets.json'), `${old}.secrets.json`);
    const digests = () => readdirSync(data).map((name) => [name, hash('sha256', readFileSync(join(data, name)))]);
    const present = digests();
    const restored = await parley(['restore', old]);
    assert.equal(restored.code, 1);
    const words = /was made by a build of parley that was never released .*Commit 56484bd .* can be exported there/;
    const [sentence] = words.exec(restored.err) ?? assert.fail(restored.err);
    assert.deepEqual(digests(), present);
    copyFileSync(old, join(data, 'parley.db'));
    const served = await run(['serve', '--data', data, '--port', '0']);
    assert.equal(served.code, 1);
    assert.ok(served.err.includes(`parley.db ${sentence}`), served.err);
  });

  test('--check says whether a backup could be restored, and changes neither it nor the data', async (t) => {
    const { data, parley } = installation(t);
    const directory = scratch(t);
    const file = join(directory, 'good.db');
    const key = await parley(['keys', 'create', '--name', 'old key', '--role', 'admin']);
    assert.equal(key.code, 0);
    await parley(['backup', file]);
    const [listed] = JSON.parse((await parley(['keys', 'list', '--json'])).out).filter(
      ({ name }: { name: string }) => name === 'old key',
    );
    await parley(['keys', 'revoke', listed.id]);
    // SQLite makes -shm and an empty -wal beside a database that it reads.
    const bytesIn = (path: string) =>
      readdirSync(path)
        .filter((name) => !/-(?:shm|wal)$/.test(name))
        .map((name) => [name, hash('sha256', readFileSync(join(path, name)))]);
    const before = [...bytesIn(directory), ...bytesIn(data)];
    const checked = await parley(['restore', file, '--check']);
    assert.deepEqual([checked.code, checked.err], [0, '']);
    assert.match(
      checked.out,
      /^This backup can be restored\.\nWritten with the schema 0001_baseline; [\d.]+ MiB; 1 organization, /,
    );
    assert.match(checked.out, /These API keys would be valid again:\n {2}old key /);
    assert.deepEqual([...bytesIn(directory), ...bytesIn(data)], before);
    writeFileSync(file, readFileSync(file).subarray(0, 4096 * 5));
    const half = await parley(['restore', file, '--check']);
    assert.deepEqual([half.code, half.out], [1, '']);
    assert.match(half.err, /good\.db cannot be used/);
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
