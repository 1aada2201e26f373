import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();
const [agent, number] = [await anAgent(server), await aNumber(server)];
const call = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901800' };
const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', call));
await server.advance(90_000);

/** A second of silence, as WAV. */
function silence(): Buffer {
  const data = Buffer.alloc(16_000);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

test('a recording is a picture of two voices, and nothing of it is loaded before somebody plays it', async () => {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  const path = `/api/v1/calls/${id}`;
  let loaded = 0;
  // Simulated calls have no recording of their own.
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: object };
    await route.fulfill({
      response,
      json: { ...rest, data: { ...data, recording_url: `${server.url}${path}/recording` } },
    });
  });
  await page.route(`**${path}/envelope?*`, async (route) => {
    const [agentSide, person] = [
      Array.from({ length: 400 }, (_, at) => at % 256),
      Array.from({ length: 400 }, () => 20),
    ];
    const data = { duration_ms: 1000, agent: agentSide, person };
    await route.fulfill({ json: { success: true, message: '', data, request_id: 'r' } });
  });
  await page.route(`**${path}/turns`, async (route) => {
    const latency = { hearing_ms: 200, thinking_ms: 1300, tools_ms: 100, voice_ms: 300, total_ms: 1900 };
    const slow = { role: 'agent', text: 'One moment.', from_ms: 700, to_ms: 900, interrupted: true, latency };
    const data = [{ ...slow, tools: [{ name: 'find_slots', duration_ms: 100, failed: false }], passages: null }];
    await route.fulfill({ json: { success: true, message: '', data, request_id: 'r' } });
  });
  await page.route(`**${path}/recording`, async (route) => {
    loaded++;
    await route.fulfill({ body: silence(), contentType: 'audio/wav' });
  });
  await openPage(page, `${server.url}/calls/${id}`);
  const recording = page.getByRole('region', { name: 'Recording', exact: true });
  await recording.getByRole('slider', { name: 'Position in the recording', exact: true }).waitFor();
  await expectAccessible(page);
  assert.equal(loaded, 0);
  await recording.getByText('Slow: over 1.5 s', { exact: true }).waitFor();
  await recording.getByText('Interrupted', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Where the time went', exact: true }).getByText('1,900 (slow)').waitFor();
  await recording.getByRole('combobox', { name: 'Speed', exact: true }).selectOption({ label: '2×' });
  await recording.getByRole('button', { name: 'Play', exact: true }).click();
  await recording.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await recording.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.ok(loaded > 0);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  expectQuiet();
});
