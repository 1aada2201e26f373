import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();

test('a live call is read as it is said, is told what to say, and is hung up', async () => {
  const [agent, number] = [await anAgent(server, { firstMessage: 'Good morning.' }), await aNumber(server)];
  const simulate = { outcome: 'completed', ring_ms: 1000, talk_ms: 600_000 };
  const { call_id: id } = dataOf(
    await server.post<{ call_id: string }>('/calls', {
      agent_id: agent.id,
      phone_number_id: number.id,
      to: '+4930901800',
      simulate,
    }),
  );
  await server.advance(5000);
  const { page, problems } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/calls/${id}`);
  const transcript = page.getByRole('list', { name: 'Transcript', exact: true });
  await transcript.getByRole('button', { name: 'Good morning.', exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'The agent says next', exact: true }).fill('One moment, please.');
  await page.getByRole('button', { name: 'Say', exact: true }).click();
  await server.advance(2000);
  await transcript.getByRole('button', { name: 'One moment, please.', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  const phone = page.getByRole('textbox', { name: /^Transfer to/ });
  const noPhone = 'The agent has no number for transfers. Say which number takes the call.';
  await page.getByRole('alert').getByText(noPhone, { exact: true }).waitFor();
  assert.equal(await phone.getAttribute('aria-invalid'), 'true');
  await page.locator('[aria-invalid=true]:focus').waitFor();
  await page.getByRole('textbox', { name: 'Keys to press', exact: true }).fill('x');
  await page.getByRole('button', { name: 'Keys', exact: true }).click();
  await page.getByText('Keys are 0–9, *, # and A–D, at most 32 at a time.', { exact: true }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /transferPhone|digits:/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Hang up', exact: true }).click();
  await server.advance(5000);
  await page.getByRole('button', { name: 'Hang up', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(
    problems.filter((line) => !/status of 400/.test(line)),
    [],
  );
});

test('what was said in a call is said again to the agent as it is now', async () => {
  const [agent, number] = [await anAgent(server, { firstMessage: 'First.' }), await aNumber(server)];
  const simulate = { outcome: 'completed', transcript: [{ role: 'user', text: 'What does it cost?' }] };
  const { call_id: id } = dataOf(
    await server.post<{ call_id: string }>('/calls', {
      agent_id: agent.id,
      phone_number_id: number.id,
      to: '+4930901801',
      simulate,
    }),
  );
  await server.advance(120_000);
  dataOf(await server.put(`/agents/${agent.id}`, { firstMessage: 'Second.' }));
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await openPage(page, `${server.url}/calls/${id}`);
  await page.getByRole('button', { name: 'Replay with version 2', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay with version 2', exact: true });
  const said = dialog.getByRole('list', { name: 'Replay', exact: true });
  await dialog.getByText('The replay is over.', { exact: true }).waitFor();
  for (const text of ['Second.', 'What does it cost?', '(simulated) I heard: What does it cost?'])
    await said.getByText(text, { exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expectQuiet();
});

test('a call that nobody answered says so in place of a summary', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const sent = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901802' };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', sent));
  await server.advance(60_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: `/calls/${id}` });
  const outcome = page.getByRole('region', { name: 'Outcome', exact: true });
  await outcome.getByText('Nobody was reached: the line was busy.', { exact: true }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Where the time went', exact: true }).count(), 0);
  expectQuiet();
});

test('a simulated call says that it has no recording, where others have theirs', async () => {
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const call = { agent_id: agent.id, phone_number_id: number.id, to: '+4930901800' };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', call));
  await server.advance(600_000);
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  await openPage(page, `${server.url}/calls/${id}`);
  const who = page.getByRole('figure', { name: 'Who spoke when', exact: true });
  await who.getByText(/^Simulated calls have no recording: nobody spoke\./).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Recording', exact: true }).count(), 0);
  await expectAccessible(page);
  expectQuiet();
});
