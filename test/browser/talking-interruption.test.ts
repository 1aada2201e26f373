import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { startFakeRealtime } from '../support/realtime/server.ts';
import { sipSettings } from '../support/sip/server.ts';
import { startDashboard } from './dashboard.ts';
import { burstsAsWav, heardIn, recorded, recordSound, soundsIn } from './talking-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-talking-'));
after(() => rmSync(folder, { recursive: true, force: true }));
// Somebody says something after every four seconds.
writeFileSync(join(folder, 'microphone.wav'), burstsAsWav({ hertz: 700, burstMs: 400, everyMs: 4000, count: 5 }));

const fake = await startFakeRealtime({
  heard: () => 'Wait!',
  answer: () => ({
    text: 'I have a great deal to tell, and nobody stops me before I have come to the end.',
    audioMs: 30_000,
  }),
});
after(() => fake.close());
const { server, visit } = await startDashboard({
  testClock: false,
  settings: {
    ...(await sipSettings()),
    'carrier.driver': 'simulated',
    'speech.engine': 'realtime',
    'speech.realtime.url': fake.url,
  },
  flags: [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${join(folder, 'microphone.wav')}`,
  ],
});

test('an agent that is interrupted is not heard any more', async (t) => {
  const agent = await anAgent(server, { agentName: 'Robin', voicemailDetection: false });
  const { page } = await visit({ role: 'member', path: '/account' });
  await recordSound(page);
  await page.goto(`${server.url}/agents/${agent.id}`);
  await page.getByRole('button', { name: 'Talk to this agent', exact: true }).click();
  const conversation = page.getByRole('region', { name: 'Conversation', exact: true });
  await conversation.getByText('The agent hears you.').waitFor();
  await conversation
    .getByText(/^I have .*…$/)
    .first()
    .waitFor();
  await conversation.getByText('Wait!').first().waitFor();
  await recorded(page, 14);
  const { rate, played, clears } = await heardIn(page);
  await conversation.getByRole('button', { name: 'Hang up', exact: true }).click();

  const spoken = soundsIn(played, rate, { pauseMs: 40 });
  const lateMs = clears.flatMap((at) => {
    const clearedMs = (at / rate) * 1000;
    // What the page plays when it hears of the interruption.
    const sound = spoken.find(({ fromMs, toMs }) => fromMs < clearedMs - 200 && toMs > clearedMs - 60);
    return sound ? [Math.round(sound.toMs - clearedMs)] : [];
  });
  t.diagnostic(`silent ${lateMs.join(', ')} ms after the message`);
  assert.ok(lateMs.length > 0, JSON.stringify({ spoken, clears }));
  for (const ms of lateMs) assert.ok(ms < 150, `${ms} ms`);
});
