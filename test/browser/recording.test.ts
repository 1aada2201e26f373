import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { aRecording } from '../support/recordings.ts';
import { type Data, dataOf } from '../support/server.ts';
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

/** Whether the browser plays a sound, in the session of a page. */
const plays = (page: Page, path: string): Promise<boolean> =>
  page.evaluate<boolean>(`new Promise((resolve) => {
    const sound = new Audio('${path}');
    sound.addEventListener('error', () => resolve(false));
    sound.addEventListener('playing', () => resolve(true));
    void sound.play().catch(() => undefined);
  })`);

const statusOf = (page: Page, path: string, headers: object = {}): Promise<number> =>
  page.evaluate<number>(`fetch('${path}', { headers: ${JSON.stringify(headers)} }).then(({ status }) => status)`);

test('a recording plays for its own organization, from the first press on Play, and nowhere for another', async () => {
  const { call_id: callId } = dataOf(await server.post<{ call_id: string }>('/calls', { ...call, to: '+4930901700' }));
  await server.advance(90_000);
  await aRecording(server.running.app, callId);
  const path = `/api/v1/calls/${callId}`;
  const fetched = async (): Promise<number> =>
    dataOf(await server.get<Data[]>('/audit?operation=getCallRecording&limit=500')).length;

  const own = await visit({ role: 'viewer', path: '/account' });
  await openPage(own.page, `${server.url}/calls/${callId}`);
  const recording = own.page.getByRole('region', { name: 'Recording', exact: true });
  await recording.getByRole('slider', { name: 'Position in the recording', exact: true }).waitFor();
  assert.equal(await fetched(), 0);
  await recording.getByRole('button', { name: 'Play', exact: true }).click();
  await recording.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  assert.ok((await fetched()) > 0);
  assert.equal(await plays(own.page, `${path}/recording`), true);
  own.expectQuiet();

  const before = await fetched();
  const client = await server.newOrganization();
  const other = await visit({ role: 'admin', client, path: '/account' });
  assert.equal(await plays(other.page, `${path}/recording`), false);
  for (const part of ['', '/recording', '/envelope', '/turns'])
    assert.equal(await statusOf(other.page, `${path}${part}`), 404, part);
  assert.equal(await statusOf(other.page, `${path}/recording`, { range: 'bytes=0-99' }), 404);
  assert.equal((await other.page.goto(`${server.url}${path}/recording`))?.status(), 404);
  await openPage(other.page, `${server.url}/calls/${callId}`);
  await other.page.getByRole('heading', { name: 'Not found', exact: true }).waitFor();
  assert.equal(await other.page.getByRole('button', { name: 'Play', exact: true }).count(), 0);
  assert.equal(await fetched(), before);
});
