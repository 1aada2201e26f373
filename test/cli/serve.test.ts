import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { ask, rawConnection, run, scratch, serve } from './support.ts';

const apiKey = 'key-of-the-continuous-integration';
const orgId = '0199aaaa-0000-7000-8000-00000000c0de';
const mode = (path: string): number => statSync(path).mode & 0o777;

suite('serve', { concurrency: 2 }, () => {
  test('a first start takes key and organization from the environment; a later one does not know the key', async (t) => {
    const data = join(scratch(t), 'data');
    const first = await serve(t, ['--data', data], {
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      PARLEY_BOOTSTRAP_ORG_ID: orgId,
    });
    const { ready } = first;
    assert.deepEqual(
      { ...ready, url: '', access_token: '', pid: 0, setup_url: '' },
      { url: '', org_id: orgId, api_key: apiKey, access_token: '', pid: 0, version: manifest.version, setup_url: '' },
    );
    assert.match(ready.setup_url!, /^http:\/\/127\.0\.0\.1:\d+\/setup\?token=[\w-]{43}$/);
    assert.deepEqual(await (await fetch(`${ready.url}/ready`)).json(), { status: 'ready' });
    assert.equal((await ask(`${ready.url}/api/v1/agents`, apiKey)).status, 200);
    const bearer = { authorization: `Bearer ${ready.access_token}` };
    assert.equal((await fetch(`${ready.url}/api/v1/agents`, { headers: bearer })).status, 200);
    assert.deepEqual([mode(first.readyFile), mode(data)], [0o600, 0o700]);
    for (const file of ['parley.db', 'secrets.json', 'parley.pid']) assert.equal(mode(join(data, file)), 0o600, file);
    const ended = await first.stop();
    assert.equal(ended.code, 0, ended.err);
    assert.equal((ended.out + ended.err).includes(apiKey), false, 'a key from the environment is not printed');
    const messages = ended.err
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { msg: string }).msg));
    assert.deepEqual(
      messages.filter((message) => message !== 'request'),
      ['serving', 'stopping', 'stopped'],
    );
    assert.equal(existsSync(join(data, 'parley.pid')), false);

    const second = await serve(t, ['--data', data]);
    assert.deepEqual([second.ready.org_id, second.ready.api_key], [orgId, null]);
    assert.equal((await ask(`${second.ready.url}/api/v1/agents`, apiKey)).status, 200);
    assert.equal((await second.stop()).code, 0);
  });

  test('a second server on the same data directory or port exits with 1 and says who uses it', async (t) => {
    const [data, other] = [join(scratch(t), 'data'), join(scratch(t), 'other')];
    const server = await serve(t, ['--data', data]);
    const [sameData, samePort] = await Promise.all([
      run(['serve', '--data', data, '--port', '0']),
      run(['serve', '--data', other, '--port', String(server.port)]),
    ]);
    assert.deepEqual([sameData.code, samePort.code], [1, 1]);
    assert.match(sameData.err, new RegExp(`${data} is in use by process ${server.ready.pid}\\b`));
    assert.match(samePort.err, new RegExp(`port ${server.port} on 127\\.0\\.0\\.1 is in use`));
    assert.equal((await fetch(`${server.ready.url}/ready`)).status, 200);
    await server.stop();

    const afterwards = await serve(t, ['--data', other]);
    assert.match(afterwards.ready.api_key ?? '', /^pk_/, 'the failed start has not created the first key');
    const { out } = await afterwards.stop();
    assert.match(out, new RegExp(`Admin API key \\(shown only once\\): ${afterwards.ready.api_key}`));
  });

  test('a ready file that cannot be written stops the server, but only after the first key was shown', async (t) => {
    const directory = scratch(t);
    const { code, out, err } = await run([
      ...['serve', '--port', '0', '--data', join(directory, 'data')],
      ...['--ready-file', join(directory, 'missing', 'ready.json')],
    ]);
    assert.equal(code, 1);
    assert.match(out, /shown only once\): pk_/);
    assert.match(err, /ENOENT/);
  });

  test('the ready file that a dead server left is removed at the start; that of a running one stays', async (t) => {
    const directory = scratch(t);
    const readyFile = join(directory, 'ready.json');
    const noDirectory = join(directory, 'file');
    writeFileSync(noDirectory, '');
    const dead = spawnSync(process.execPath, ['--version']).pid;
    for (const [pid, stays] of [
      [dead, false],
      [process.pid, true],
    ] as const) {
      writeFileSync(readyFile, JSON.stringify({ url: 'http://127.0.0.1:9', pid }));
      const { code } = await run([
        'serve',
        '--port',
        '0',
        '--data',
        join(noDirectory, 'data'),
        '--ready-file',
        readyFile,
      ]);
      assert.deepEqual([code, existsSync(readyFile)], [1, stays]);
    }
  });
});

test(
  'SIGUSR1 opens no debugger, and the server goes on',
  { skip: process.platform === 'win32' && 'Windows has no such signal' },
  async (t) => {
    const server = await serve(t, ['--ephemeral']);
    process.kill(server.ready.pid, 'SIGUSR1');
    assert.equal((await fetch(`${server.ready.url}/ready`)).status, 200);
    const { code, err } = await server.stop();
    assert.equal(code, 0);
    assert.doesNotMatch(err, /debugger/i);
  },
);

suite('SIGTERM', { concurrency: 2 }, () => {
  /** The head of a request. The server waits for its body. */
  const halfSent = (apiKeyOfServer: string | null, length: number): string =>
    [
      'POST /api/v1/contacts/ HTTP/1.1',
      'Host: parley',
      `X-Api-Key: ${apiKeyOfServer}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n');

  test('lets requests finish, closes idle connections, refuses new requests, and exits with 0', async (t) => {
    const temporary = join(scratch(t), 'tmp');
    mkdirSync(temporary);
    const server = await serve(t, ['--ephemeral', '--test-clock', '2026-03-02T09:00:00Z'], { TMPDIR: temporary });
    const { url, api_key: key } = server.ready;
    const clock = (await (await ask(`${url}/api/v1/test-clock`, key)).json()) as { data: unknown };
    assert.deepEqual(clock.data, { now: '2026-03-02T09:00:00.000Z' });
    assert.equal(readdirSync(temporary).length, 1);
    const idle = await rawConnection(t, server.port);
    idle.send('GET /livez HTTP/1.1\r\nHost: parley\r\n\r\n');
    await idle.hears(/alive/);
    const busy = await rawConnection(t, server.port);
    const body = '{"first_name":"Ada"}';
    busy.send(halfSent(key, body.length));
    await busy.hears(/^HTTP\/1\.1 100 Continue/);

    server.signal();
    await idle.closed;
    const ready = await fetch(`${url}/ready`);
    assert.equal(ready.status, 503);
    assert.equal(((await ready.json()) as { status: string }).status, 'draining');
    const refused = await ask(`${url}/api/v1/agents`, key);
    assert.deepEqual([refused.status, refused.headers.get('connection')], [503, 'close']);

    busy.send(body);
    const answer = await busy.hears(/"first_name":"Ada"/);
    assert.match(answer, /HTTP\/1\.1 200 OK[^]*Connection: close/i);
    const { code, out, err } = await server.ended;
    assert.equal(code, 0, err);
    assert.match(out, /SIMULATED/);
    assert.deepEqual(readdirSync(temporary), [], 'an ephemeral server leaves nothing behind');
  });

  test('sent twice exits the process immediately', async (t) => {
    const server = await serve(t, ['--ephemeral'], { TMPDIR: scratch(t) }); // so that its temporary directory, which it cannot remove any more, is removed with `scratch`
    const idle = await rawConnection(t, server.port);
    idle.send('GET /livez HTTP/1.1\r\nHost: parley\r\n\r\n');
    await idle.hears(/alive/);
    const busy = await rawConnection(t, server.port);
    busy.send(halfSent(server.ready.api_key, 20));
    await busy.hears(/^HTTP\/1\.1 100 Continue/);
    server.signal();
    await idle.closed;
    server.signal();
    assert.equal((await server.ended).code, 1);
  });
});
