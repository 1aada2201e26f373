import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { updateOrganization } from '../../../src/features/organizations/service.ts';
import { listNotices } from '../../../src/features/notifications/service.ts';
import { messageIdOf } from '../../../src/features/notifications/notice.ts';
import { type Bench, bench, everything, hour, minute, receiver } from './support.ts';

type Mail = { from: string; to: string[]; text: string };

/** A mail server on loopback that takes what it is sent, or refuses it while `refuse` is set. */
async function mailServer(t: TestContext) {
  const mails: Mail[] = [];
  const state = { refuse: false, tries: 0 };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
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

async function failingBench(t: TestContext, settings: Record<string, string>, emails: string[]): Promise<Bench> {
  const web = await receiver(t);
  const b = await bench(t, [web.url()], settings);
  await updateOrganization(b.app, b.orgId, { notificationEmails: emails });
  web.answerWith({ status: 410 });
  await b.endCall();
  await b.endCall();
  await b.settled();
  return b;
}

const noticesOf = async (b: Bench) => (await listNotices(b.app, b.orgId, everything)).items;

test('an endpoint that turns failing is told of once, by one e-mail to all addresses', async (t) => {
  const server = await mailServer(t);
  const b = await failingBench(t, server.settings, ['ops@example.com', 'dev@example.com']);
  const [notice, ...others] = await noticesOf(b);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [notice!.kind, notice!.sentAt, notice!.lastError],
    ['webhook.endpoint_failing', b.clock.now(), null],
  );
  assert.equal(server.mails.length, 1);
  const [mail] = server.mails;
  assert.deepEqual([mail!.from, mail!.to], ['parley@example.com', ['ops@example.com', 'dev@example.com']]);
  assert.ok(mail!.text.includes(`Message-ID: ${messageIdOf(notice!.id, 'Parley <parley@example.com>')}`));
  assert.ok(mail!.text.includes('Date: Mon, 02 Mar 2026 09:00:00 +0000'));
  const [{ url } = { url: '' }] = await b.endpoints();
  assert.ok(mail!.text.includes(url) && mail!.text.includes('410'));

  await b.pass(24 * hour);
  assert.equal(server.mails.length, 1, 'the failed probe is no second turn');
  await b.save(url);
  await b.settled();
  assert.equal(server.mails.length, 2, 'failing again after it was saved again is');
});

test('a mail server that refuses is tried again later, and what it said is kept', async (t) => {
  const server = await mailServer(t);
  server.state.refuse = true;
  const b = await failingBench(t, server.settings, ['ops@example.com']);
  assert.deepEqual([(await noticesOf(b))[0]!.sentAt, server.state.tries], [null, 1]);
  assert.match((await noticesOf(b))[0]!.lastError ?? '', /mailbox on holiday/);
  await b.pass(minute);
  assert.equal(server.state.tries, 2);
  server.state.refuse = false;
  await b.pass(5 * minute);
  assert.deepEqual([(await noticesOf(b))[0]!.sentAt, (await noticesOf(b))[0]!.lastError], [b.clock.now(), null]);
  assert.equal(server.mails.length, 1);
});

test('after six tries an e-mail is given up, its notice is not', async (t) => {
  const server = await mailServer(t);
  server.state.refuse = true;
  const b = await failingBench(t, server.settings, ['ops@example.com']);
  await b.pass(48 * hour);
  assert.equal(server.state.tries, 6);
  const [notice] = await noticesOf(b);
  assert.equal(notice!.sentAt, null);
  assert.match(notice!.lastError ?? '', /mailbox on holiday/);
});

test('without a mail server, or without addresses, the notice is stored all the same', async (t) => {
  const server = await mailServer(t);
  for (const [settings, emails] of [
    [{}, ['ops@example.com']],
    [server.settings, []],
  ] as const) {
    const b = await failingBench(t, settings, [...emails]);
    const notices = await noticesOf(b);
    assert.deepEqual([notices.length, notices[0]!.sentAt, notices[0]!.lastError], [1, null, null]);
    assert.equal(
      (await b.app.db.selectFrom('outbox').selectAll().where('kind', '=', 'email.send').execute()).length,
      0,
    );
  }
  assert.equal(server.state.tries, 0);
});

test('a Message-ID stays the same and belongs to the domain of the sender', () => {
  assert.equal(messageIdOf('id', 'Parley <parley@example.com>'), '<id@example.com>');
  assert.equal(messageIdOf('id', 'parley@example.org'), '<id@example.org>');
  assert.equal(messageIdOf('id', 'nobody'), '<id@localhost>');
});
