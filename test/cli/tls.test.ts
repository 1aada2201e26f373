// Long: each certificate has a server of its own.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get } from 'node:https';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect } from 'node:tls';
import { runHere, scratch, serve, type Server } from './support.ts';

const certificates = resolve(import.meta.dirname, '../support/tls');
const ca = ['ca.crt', 'renewed.crt'].map((name) => readFileSync(join(certificates, name), 'utf8'));

/** A directory with a pair that a test may replace, and the flags that name it. */
function pairIn(t: TestContext, name = 'server'): { directory: string; flags: string[]; put(name: string): void } {
  const directory = join(scratch(t), 'tls');
  mkdirSync(directory);
  const put = (of: string): void => {
    for (const end of ['crt', 'key']) copyFileSync(join(certificates, `${of}.${end}`), join(directory, `tls.${end}`));
  };
  put(name);
  const flags = ['cert', 'key'].map(
    (kind) => `tls.${kind}_file=${join(directory, kind === 'cert' ? 'tls.crt' : 'tls.key')}`,
  );
  return { directory, flags: flags.flatMap((flag) => ['--set', flag]), put };
}

const answerOf = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((done, failed) => {
    const ask = url.startsWith('https:') ? get : getPlain;
    ask(url, { ca, headers, agent: false }, (response) => {
      response.resume();
      done({ status: response.statusCode!, headers: response.headers });
    }).once('error', failed);
  });

/** The common name of the certificate that a new connection is shown, with the TLS version of the connection. */
const shownBy = ({ port }: Server, options: object = {}) =>
  new Promise<string>((done, failed) => {
    const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost', ...options }, () => {
      done(`${socket.getPeerCertificate().fingerprint256} ${socket.getProtocol()}`);
      socket.destroy();
    });
    socket.once('error', failed);
  });

test('with a certificate the server speaks HTTPS, and plain HTTP on another port leads there', async (t) => {
  const { flags } = pairIn(t);
  const server = await serve(t, ['--ephemeral', ...flags, '--set', 'tls.redirect_port=0', '--set', 'log.level=info']);
  const { url } = server.ready;
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const ready = await answerOf(`${url}/ready`);
  assert.equal(ready.status, 200);
  assert.equal(ready.headers['strict-transport-security'], 'max-age=31536000');
  assert.match(await shownBy(server), / TLSv1\.3$/);
  await assert.rejects(
    shownBy(server, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
  );
  const page = await answerOf(`${url}/login`);
  assert.equal(page.status, 200);
  assert.equal((await server.stop()).code, 0);
});

test('a plain request is sent to the same path over https, whatever its host, and to no other host', async (t) => {
  const { flags } = pairIn(t);
  const port = 20_000 + (process.pid % 10_000);
  const server = await serve(t, ['--ephemeral', ...flags, '--set', `tls.redirect_port=${port}`]);
  const redirected = async (path: string, host: string) =>
    answerOf(`http://127.0.0.1:${port}${path}`, { host }).then(({ status, headers }) => [status, headers['location']]);
  assert.deepEqual(await redirected('/calls?a=1', 'parley.example'), [
    308,
    `https://parley.example:${server.port}/calls?a=1`,
  ]);
  assert.deepEqual(await redirected('/', '[::1]:80'), [308, `https://[::1]:${server.port}/`]);
  for (const host of ['evil.example/path', 'user@evil.example', 'a b'])
    assert.deepEqual(await redirected('/', host), [400, undefined], host);
  await server.stop();
});

test('a changed certificate is shown to the next connection, and one that cannot be used leaves the old one', async (t) => {
  const { directory, flags, put } = pairIn(t);
  const server = await serve(t, ['--ephemeral', ...flags]);
  const checks = async (): Promise<string> => {
    const { body } = await jsonOf(`${server.ready.url}/api/v1/system`, server.ready.access_token);
    return body.data.checks.find(({ id }) => id === 'tls')!.status;
  };
  const before = await shownBy(server);
  assert.equal(await checks(), 'ok');
  put('renewed');
  await server.logs(/the certificate was read again/);
  const after = await shownBy(server);
  assert.notEqual(after, before);
  copyFileSync(join(certificates, 'server.key'), join(directory, 'tls.key'));
  await server.logs(/the changed certificate cannot be used/);
  assert.equal(await shownBy(server), after);
  server.signal('SIGHUP');
  await server.logs(/nothing has changed/);
  assert.equal((await server.stop()).code, 0);
});

test('settings of TLS that cannot work stop the start with 78 and name the setting', async (t) => {
  const { directory, flags } = pairIn(t);
  writeFileSync(join(directory, 'empty'), '');
  const given = (setting: string) => ['serve', '--ephemeral', '--port', '0', ...flags, '--set', setting];
  for (const [args, pattern] of [
    [['serve', '--ephemeral', ...flags.slice(0, 2)], /tls\.key_file is not set/],
    [['serve', '--ephemeral', ...flags.slice(2)], /tls\.cert_file is not set/],
    [['serve', '--ephemeral', '--set', 'tls.redirect_port=0'], /tls\.redirect_port needs tls\.cert_file/],
    [
      given(`tls.cert_file=${directory}/missing`),
      /tls\.cert_file names .*missing, which cannot be read: it does not exist/,
    ],
    [given(`tls.cert_file=${directory}/empty`), /tls\.cert_file names .* does not hold a certificate/],
    [given(`tls.key_file=${directory}/empty`), /tls\.key_file names .* does not hold a private key/],
    [given(`tls.key_file=${certificates}/renewed.key`), /tls\.key_file names .* not the key of the certificate/],
  ] as const) {
    const { code, err } = await runHere(t, [...args]);
    assert.deepEqual([code, pattern.test(err)], [78, true], err);
  }
  const expired = ['cert', 'key'].flatMap((kind) => [
    '--set',
    `tls.${kind}_file=${certificates}/expired.${kind === 'cert' ? 'crt' : 'key'}`,
  ]);
  const { code, err } = await runHere(t, ['serve', '--ephemeral', '--port', '0', ...expired]);
  assert.deepEqual([code, /tls\.cert_file names .*expired at 2025-01-01/.test(err)], [78, true], err);
});

type Checks = { data: { checks: { id: string; status: string }[] } };

const jsonOf = (url: string, token: string) =>
  new Promise<{ body: Checks }>((done, failed) => {
    get(url, { ca, agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => done({ body: JSON.parse(text) as Checks }));
    }).once('error', failed);
  });
