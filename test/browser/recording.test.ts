import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { serveRecording } from './recorded-call.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();
const [agent, number] = [await anAgent(server), await aNumber(server)];
const call = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901800' };
const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', call));
await server.advance(90_000);

test('a recording is a picture of two voices, and nothing of it is loaded before somebody plays it', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  const sound = await serveRecording(page, server, id);
  await openPage(page, `${server.url}/calls/${id}`);
  const recording = page.getByRole('region', { name: 'Recording', exact: true });
  await recording.getByRole('slider', { name: 'Position in the recording', exact: true }).waitFor();
  await expectAccessible(page);
  assert.equal(sound.loaded, 0);
  await recording.getByText('Slow: over 1.5 s', { exact: true }).waitFor();
  await recording.getByText('Interrupted', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Where the time went', exact: true }).getByText('1,900 (slow)').waitFor();
  await recording.getByRole('combobox', { name: 'Speed', exact: true }).selectOption({ label: '2×' });
  await recording.getByRole('button', { name: 'Play', exact: true }).click();
  await recording.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await recording.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.ok(sound.loaded > 0);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  expectQuiet();
});
