import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { demo } from '../cli/support.ts';
import { aPassword } from '../support/people.ts';
import { startFakeRealtime } from '../support/realtime/server.ts';
import { startBrowser } from './browser.ts';
import { burstsAsWav } from './talking-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-demo-voice-'));
writeFileSync(join(folder, 'microphone.wav'), burstsAsWav({ hertz: 440, burstMs: 1500, everyMs: 4000, count: 10 }));
const newPage = await startBrowser({
  after: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  flags: [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${join(folder, 'microphone.wav')}`,
  ],
});

test('with one key somebody new talks to the agent of the demo: two links, one button', async (t) => {
  const cloud = await startFakeRealtime({
    answer: ({ instructions, turn }) => ({ text: instructions ?? `I heard you ${turn} times.`, audioMs: 600 }),
    heard: (turn) => `This is what I say, number ${turn}.`,
  });
  after(() => cloud.close());
  const settings = ['speech.engine=realtime', 'speech.realtime.api_key=sk-KEY', `speech.realtime.url=${cloud.url}`];
  const running = demo(
    t,
    settings.flatMap((setting) => ['--set', setting]),
  );
  const out = await running.prints(/^Talk to the agent Ava: \S+$/m);
  const link = /^Talk to the agent Ava: (http:\S+)$/m.exec(out)![1]!;
  const setUp = /http:\/\/\S+\/setup\S*/.exec(out)![0];

  const { page, problems } = await newPage();
  await page.goto(setUp);
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('new@example.com');
  await page.getByLabel('Password', { exact: true }).fill(aPassword);
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.waitForURL(`${new URL(link).origin}/`);
  await page.goto(link);
  await page.getByRole('button', { name: 'Talk to this agent', exact: true }).click();
  const conversation = page.getByRole('region', { name: 'Conversation', exact: true });
  await conversation.getByText('The agent hears you.').waitFor();
  const said = conversation.getByRole('list', { name: 'Conversation', exact: true }).getByRole('listitem');
  await said.filter({ hasText: 'Hello, this is Ava' }).first().waitFor();
  await said.filter({ hasText: 'This is what I say, number 1.' }).waitFor();
  await said
    .filter({ hasText: /I heard you \d times/ })
    .first()
    .waitFor();
  await conversation.getByRole('button', { name: 'Hang up', exact: true }).click();
  await conversation.getByText('You hung up.').waitFor();
  assert.equal(cloud.sessions.length, 1);
  assert.equal(cloud.sessions[0]!.headers.authorization, 'Bearer sk-KEY');
  assert.deepEqual(cloud.sessions[0]!.errors, []);
  assert.deepEqual(problems, []);
  await running.stop();
});
