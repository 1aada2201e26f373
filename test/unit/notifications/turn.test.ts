import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../../../src/features/notifications/email.ts';
import { loadConfig } from '../../../src/main/configuration.ts';
import { startMailbox } from '../../support/mailbox.ts';

test('no e-mail is sent while another node may be active', async (t) => {
  const mailbox = await startMailbox();
  t.after(() => mailbox.close());
  const argvSettings = Object.entries(mailbox.settings).map(([path, value]) => ({ path, value }));
  const { email } = loadConfig({ env: {}, argvSettings, readFile: () => '' }).config;
  const message = { id: 'a', subject: 'Hello', body: 'Hello.', createdAt: 0 };
  const to = ['ada@example.com'];
  const sending = (...turns: boolean[]) =>
    send(
      { mayAct: () => (turns.length > 1 ? turns.shift()! : turns[0]!) },
      { ...email, host: email.host!, caFile: null },
      message,
      to,
      new AbortController().signal,
    );
  await assert.rejects(sending(false), /another node may be active/);
  await assert.rejects(sending(true, false), /another node may be active/); // while the mail server made it wait
  assert.deepEqual(mailbox.received, []);
  await sending(true);
  assert.deepEqual(mailbox.received, [to]);
});
