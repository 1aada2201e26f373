import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { updateOrganization } from '../../../src/features/organizations/service.ts';
import { listNotices } from '../../../src/features/notifications/service.ts';
import { messageIdOf } from '../../../src/features/notifications/notice.ts';
import { type WebhookTest, startWebhookTest, wholeList, hour, minute, startReceiver } from './support.ts';

type Mail = { from: string; to: string[]; text: string };

/** A mail server on loopback that accepts every message, or rejects all while `refuse` is set. */
async function mailServer(t: TestContext, tls: { key?: Buffer; cert?: Buffer } = {}) {
  const mails: Mail[] = [];
  const state = { refuse: false, tries: 0 };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    secure: tls.key !== undefined,
    ...tls,
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      state.tries += 1;
      if (state.refuse) {
        callback(new Error('mailbox on holiday'));
        return;
      }
      const { mailFrom, rcptTo } = session.envelope;
      const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '');
      mails.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address), text });
      callback();
    },
  });
  server.on('error', () => undefined); // of clients that refuse its certificate
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const settings = {
    'email.host': '127.0.0.1',
    'email.port': String(port),
    'email.from': 'Parley <parley@example.com>',
  };
  return { mails, state, settings };
}

async function failingBench(t: TestContext, settings: Record<string, string>, emails: string[]): Promise<WebhookTest> {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], settings);
  await updateOrganization(env.app, env.orgId, { notificationEmails: emails });
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.endCall();
  await env.settled();
  return env;
}

const noticesOf = async (env: WebhookTest) => (await listNotices(env.app, env.orgId, wholeList)).items;

test('one e-mail to all addresses reports that an endpoint fails', async (t) => {
  const server = await mailServer(t);
  const env = await failingBench(t, server.settings, ['ops@example.com', 'dev@example.com']);
  const [notice, ...others] = await noticesOf(env);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [notice!.kind, notice!.sentAt, notice!.lastError],
    ['webhook.endpoint_failing', env.clock.now(), null],
  );
  assert.equal(server.mails.length, 1);
  const [mail] = server.mails;
  assert.deepEqual([mail!.from, mail!.to], ['parley@example.com', ['ops@example.com', 'dev@example.com']]);
  assert.ok(mail!.text.includes(`Message-ID: ${messageIdOf(notice!.id, 'Parley <parley@example.com>')}`));
  assert.ok(mail!.text.includes('Date: Mon, 02 Mar 2026 09:00:00 +0000'));
  const [{ url } = { url: '' }] = await env.endpoints();
  assert.ok(mail!.text.includes(url) && mail!.text.includes('410'));
  assert.ok(mail!.text.includes('paused since 2026-03-02T09:00:00.000Z'), mail!.text);
  assert.ok(mail!.text.includes('What happened: An attempt to deliver an event failed.'));
  assert.ok(mail!.text.includes(`PUT /api/v1/agents/${env.agentId}`));
  assert.ok(mail!.text.includes('tried again at 2026-03-02T15:00:00.000Z'));

  await env.pass(24 * hour);
  assert.equal(server.mails.length, 1, 'a failed probe sends no second e-mail');
  await env.save(url);
  await env.settled();
  assert.equal(server.mails.length, 2, 'failing again after it was saved again does');
});

test('a mail server with a certificate of a private authority is trusted by outbound.ca_file alone', async (t) => {
  const file = (name: string): string => join(import.meta.dirname, '../../support/tls', name);
  const server = await mailServer(t, { key: readFileSync(file('server.key')), cert: readFileSync(file('server.crt')) });
  const settings = { ...server.settings, 'email.secure': 'true' };
  const strict = await failingBench(t, settings, ['ops@example.com']);
  assert.match((await noticesOf(strict))[0]!.lastError ?? '', /certificate/);
  await failingBench(t, { ...settings, 'outbound.ca_file': file('ca.crt') }, ['ops@example.com']);
  assert.equal(server.mails.length, 1);
});

test('an e-mail that the server rejects is retried later, and its error is stored', async (t) => {
  const server = await mailServer(t);
  server.state.refuse = true;
  const env = await failingBench(t, server.settings, ['ops@example.com']);
  assert.deepEqual([(await noticesOf(env))[0]!.sentAt, server.state.tries], [null, 1]);
  assert.match((await noticesOf(env))[0]!.lastError ?? '', /mailbox on holiday/);
  await env.pass(minute);
  assert.equal(server.state.tries, 2);
  server.state.refuse = false;
  await env.pass(5 * minute);
  assert.deepEqual([(await noticesOf(env))[0]!.sentAt, (await noticesOf(env))[0]!.lastError], [env.clock.now(), null]);
  assert.equal(server.mails.length, 1);
});

test('an e-mail is abandoned after six attempts, and its notice stays', async (t) => {
  const server = await mailServer(t);
  server.state.refuse = true;
  const env = await failingBench(t, server.settings, ['ops@example.com']);
  await env.pass(48 * hour);
  assert.equal(server.state.tries, 6);
  const [notice] = await noticesOf(env);
  assert.equal(notice!.sentAt, null);
  assert.match(notice!.lastError ?? '', /mailbox on holiday/);
});

test('without a mail server or addresses the notice is stored but not sent', async (t) => {
  const server = await mailServer(t);
  for (const [settings, emails] of [
    [{}, ['ops@example.com']],
    [server.settings, []],
  ] as const) {
    const env = await failingBench(t, settings, [...emails]);
    const notices = await noticesOf(env);
    assert.deepEqual([notices.length, notices[0]!.sentAt, notices[0]!.lastError], [1, null, null]);
    assert.equal(
      (await env.app.db.selectFrom('outbox').selectAll().where('kind', '=', 'email.send').execute()).length,
      0,
    );
  }
  assert.equal(server.state.tries, 0);
});

test('the Message-ID depends only on the notice and the sender’s domain', () => {
  assert.equal(messageIdOf('id', 'Parley <parley@example.com>'), '<id@example.com>');
  assert.equal(messageIdOf('id', 'parley@example.org'), '<id@example.org>');
  assert.equal(messageIdOf('id', 'nobody'), '<id@localhost>');
});

/** A TCP server in the place of a mail server: `talk` gets every connection and writes the answers itself. */
async function rawMailServer(t: TestContext, talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const port = String((server.address() as AddressInfo).port);
  return { server, settings: { 'email.host': '127.0.0.1', 'email.port': port } };
}

/** Answers every line with the first reply whose command it starts with, and remembers the lines. */
function scripted(replies: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const talk = (socket: Socket): void => {
    socket.write('220 mail.example.com\r\n');
    socket.on('data', (data: Buffer) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        lines.push(line);
        const command = Object.keys(replies).find((name) => line.toUpperCase().startsWith(name));
        socket.write(`${command === undefined ? '502 what?' : replies[command]}\r\n`);
      }
    });
  };
  return { lines, talk };
}

const withPassword = { 'email.user': 'parley', 'email.password': 'open sesame' };
const withoutStartTls = { EHLO: '250-mail.example.com\r\n250 AUTH PLAIN LOGIN', HELO: '250 mail.example.com' };

test('a password never goes to another machine without TLS, also when STARTTLS was stripped from its answer', async (t) => {
  const { lines, talk } = scripted({ ...withoutStartTls, AUTH: '235 welcome' });
  const { settings } = await rawMailServer(t, talk);
  // `127.1` means 127.0.0.1, but is not recognized as a name of this machine.
  const env = await failingBench(t, { ...settings, ...withPassword, 'email.host': '127.1' }, ['ops@example.com']);
  const [notice] = await noticesOf(env);
  assert.match(notice!.lastError ?? '', /STARTTLS|TLS/);
  assert.ok(lines.some((line) => line.startsWith('EHLO')));
  assert.deepEqual(
    lines.filter((line) => /^(AUTH|MAIL)/i.test(line)),
    [],
  );
});

test('credentials that a mail server repeats are neither stored nor logged', async (t) => {
  const echo = Buffer.from('\0parley\0open sesame').toString('base64');
  const { talk } = scripted({ ...withoutStartTls, AUTH: `535 no such account: ${echo} (open sesame)` });
  const { settings } = await rawMailServer(t, talk);
  const env = await failingBench(t, { ...settings, ...withPassword }, ['ops@example.com']);
  const { lastError } = (await noticesOf(env))[0]!;
  assert.match(lastError ?? '', /no such account: \*{8} \(\*{8}\)/);
});

test('a stop ends the connection to a mail server that never answers', { timeout: 30_000 }, async (t) => {
  const connected = Promise.withResolvers<Socket>();
  const { settings } = await rawMailServer(t, (socket) => connected.resolve(socket));
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], settings);
  await updateOrganization(env.app, env.orgId, { notificationEmails: ['ops@example.com'] });
  web.answerWith({ status: 410 });
  await env.endCall();
  const socket = await connected.promise;
  const closed = once(socket, 'close');
  await env.close();
  await closed;
});

test('an endpoint that is saved and fails again and again is reported three times an hour', async (t) => {
  const server = await mailServer(t);
  const env = await failingBench(t, server.settings, ['ops@example.com']);
  const [{ url } = { url: '' }] = await env.endpoints();
  for (const _ of Array(5).keys()) {
    await env.save(url);
    await env.settled();
  }
  assert.deepEqual([server.mails.length, (await noticesOf(env)).length], [3, 3]);
  await env.pass(hour);
  await env.save(url);
  await env.settled();
  assert.equal(server.mails.length, 4);
});
