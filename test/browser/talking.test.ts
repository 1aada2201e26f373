import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAgent } from '../support/fixtures.ts';
import { aPerson } from '../support/people.ts';
import { dataOf } from '../support/server.ts';
import { sipSettings } from '../support/sip/server.ts';
import { refusal } from '../support/test-calls.ts';
import { expectAccessible, expectNoSidewaysScroll, logInWith, startDashboard } from './dashboard.ts';
import { burstsAsWav, heardIn, recorded, recordSound, soundsIn } from './talking-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-talking-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [hertz, burstMs, everyMs] = [700, 160, 1000];
writeFileSync(join(folder, 'microphone.wav'), burstsAsWav({ hertz, burstMs, everyMs, count: 10 }));

const flags = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${join(folder, 'microphone.wav')}`,
  '--host-resolver-rules=MAP elsewhere.test 127.0.0.1',
];
const { server, visit, open } = await startDashboard({
  testClock: false,
  settings: { ...(await sipSettings()), 'carrier.driver': 'simulated' },
  flags,
});

type CallData = Record<string, unknown> & { call_id: string; state: string; status: string | null };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true });
const latestCall = async (): Promise<CallData> => dataOf(await server.get<CallData[]>('/calls?channel=web'))[0]!;

/** The recorder of the tests uses a deprecated node, and over plain http Chromium passes over a header, saying so. */
const isExpected = (problem: string): boolean =>
  /ScriptProcessorNode|Cross-Origin-Opener-Policy header has been ignored/.test(problem);

test('a tone goes from the microphone to the agent and back to the ear', async (t) => {
  const agent = await anAgent(server, { agentName: 'Robin', recordCalls: true });
  const { page, problems } = await visit({ role: 'member', path: '/agents' });
  await recordSound(page);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const tickets: string[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('/test-calls')) return;
    void response.json().then(({ data }: { data: { ticket: string } }) => tickets.push(data.ticket));
  });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.getByRole('link', { name: 'Robin', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Robin', exact: true }).waitFor();
  assert.equal(scripts.filter((url) => /worklet|sound/.test(url)).length, 0, 'sound is loaded when it is wanted');
  await button(page, 'Talk to this agent').click();
  await conversation(page).getByText('The agent hears you.').waitFor();
  await expectAccessible(page);
  await recorded(page, 14);
  const { rate, microphone, played } = await heardIn(page);
  await conversation(page).getByRole('button', { name: 'Hang up', exact: true }).click();
  await conversation(page).getByText('You hung up.').waitFor();

  const said = soundsIn(microphone, rate, { pauseMs: 100 });
  const back = soundsIn(played, rate);
  const rounds = said
    .slice(4, -2)
    .map(({ fromMs }) => back.find((sound) => sound.fromMs > fromMs && sound.fromMs < fromMs + 600));
  const whole = rounds.filter((sound) => sound !== undefined && sound.toMs - sound.fromMs > burstMs * 0.7);
  const delays = said
    .slice(4, -2)
    .flatMap(({ fromMs }, index) => (rounds[index] ? [Math.round(rounds[index].fromMs - fromMs)] : []));
  t.diagnostic(`of ${rounds.length} tones ${whole.length} came back whole, after ${delays.join(', ')} ms`);
  assert.ok(rounds.length >= 5, `${said.length} tones of the microphone`);
  assert.ok(whole.length >= rounds.length - 2, JSON.stringify(rounds));
  assert.ok(delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]! < 600);

  const call = await latestCall();
  assert.deepEqual(
    [call.status, call['disconnect_reason'], call['agent_id']],
    ['completed', 'customer_hangup', agent.id],
  );
  assert.match(sockets[0]!, new RegExp(`^ws://.*/api/v1/calls/${call.call_id}/audio$`));
  assert.equal(
    await refusal(sockets[0]!, ['parley.audio.v1', `ticket.${tickets[0]!}`]),
    401,
    'a copied ticket opens nothing',
  );
  assert.deepEqual(
    problems.filter((problem) => !isExpected(problem)),
    [],
  );
  // The same page can begin another one, and the call of the first is a link.
  await conversation(page).getByRole('link', { name: 'See the call', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Test call with Robin', exact: true }).waitFor();
});

test('a muted microphone sends silence until it is switched on again', async () => {
  const agent = await anAgent(server, { agentName: 'Patient' });
  const { page, problems } = await visit({ role: 'member', path: '/agents' });
  await recordSound(page);
  await page.getByRole('link', { name: 'Patient', exact: true }).click();
  await button(page, 'Talk to this agent').click();
  const mute = conversation(page).getByRole('button', { name: 'Mute', exact: true });
  await mute.click();
  await conversation(page).getByText('Your microphone is muted: the agent hears silence.').waitFor();
  assert.equal(await mute.getAttribute('aria-pressed'), 'true');
  await expectAccessible(page);
  await recorded(page, 8);
  const { rate, microphone } = await heardIn(page);
  const lastMs = (microphone.length / rate) * 1000 - 3000;
  const late = soundsIn(microphone, rate, { pauseMs: 100 }).filter(({ fromMs }) => fromMs > lastMs);
  assert.deepEqual(late, [], 'nothing of the microphone is sent');
  await mute.click();
  await conversation(page).getByText('The agent hears you.').waitFor();
  await button(page, 'Hang up').click();
  await conversation(page).getByText('You hung up.').waitFor();
  assert.deepEqual(
    problems.filter((problem) => !isExpected(problem)),
    [],
  );
  assert.equal((await latestCall())['agent_id'], agent.id);
});

test('one can type and listen where the browser gives no microphone', async () => {
  const agent = await anAgent(server, { agentName: 'Quiet' });
  const { page, problems } = await visit({ role: 'member', path: '/account' });
  await page.context().addInitScript('navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error("no"));');
  await page.goto(`${server.url}/agents/${agent.id}`);
  await button(page, 'Talk to this agent').click();
  await conversation(page)
    .getByText(/The browser gives no microphone/)
    .waitFor();
  const say = conversation(page).getByRole('textbox', { name: 'Say something', exact: true });
  await say.fill('Good morning');
  await say.press('Enter');
  const talk = conversation(page).getByRole('list', { name: 'Conversation', exact: true });
  await talk.getByRole('listitem').nth(1).waitFor();
  assert.match((await talk.innerText()).replaceAll(/\s+/g, ' '), /You 0:0\d Good morning Agent 0:0\d Good morning/);
  await expectAccessible(page);
  // Leaving the page ends the call.
  const { call_id: id } = await latestCall();
  await page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name: 'Calls', exact: true })
    .click();
  await page.getByRole('table').waitFor();
  for (;;) {
    const call = dataOf(await server.get<CallData>(`/calls/${id}`));
    if (call.state !== 'ended') continue;
    assert.deepEqual([call.status, call['disconnect_reason']], ['completed', 'customer_hangup']);
    break;
  }
  assert.deepEqual(problems, []);
});

test('over plain http from another machine sound is played without worklet and microphone', async (t) => {
  const agent = await anAgent(server, { agentName: 'Far' });
  const person = await aPerson(server, 'member');
  const { page, problems } = await open('/docs');
  await recordSound(page);
  const origin = server.url.replace('127.0.0.1', 'elsewhere.test');
  await page.goto(`${origin}/agents/${agent.id}`);
  await logInWith(page, person);
  await page.getByRole('heading', { level: 1, name: 'Far', exact: true }).waitFor();
  assert.equal(await page.evaluate('isSecureContext'), false);
  await button(page, 'Talk to this agent').click();
  await conversation(page)
    .getByText(/plain http from another machine/)
    .waitFor();
  const say = conversation(page).getByRole('textbox', { name: 'Say something', exact: true });
  await say.fill('This is said by a tone of five seconds, since there is no voice. '.repeat(2).trim());
  await say.press('Enter');
  await conversation(page).getByRole('listitem').nth(1).waitFor();
  await recorded(page, 8);
  const { rate, played } = await heardIn(page);
  const sounds = soundsIn(played, rate, { pauseMs: 3 });
  const longest = Math.max(...sounds.map(({ fromMs, toMs }) => toMs - fromMs));
  t.diagnostic(`the longest of ${sounds.length} sounds lasts ${Math.round(longest)} ms`);
  assert.ok(longest > 1500, JSON.stringify(sounds));
  await expectAccessible(page);
  assert.deepEqual(
    problems.filter((problem) => !isExpected(problem)),
    [],
  );
});

test('the conversation fits a telephone’s window, in the dark, too', async () => {
  const agent = await anAgent(server, { agentName: 'Small' });
  const { page, expectQuiet } = await visit({ role: 'member', path: `/agents/${agent.id}`, width: 320, dark: true });
  await button(page, 'Talk to this agent').click();
  await conversation(page).getByText('The agent hears you.').waitFor();
  const say = conversation(page).getByRole('textbox', { name: 'Say something', exact: true });
  await say.fill('x'.repeat(1000));
  await say.press('Enter');
  await conversation(page).getByRole('listitem').nth(1).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await button(page, 'Hang up').click();
  await button(page, 'Start over').waitFor();
  await expectAccessible(page);
  expectQuiet();
});
