import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aPerson } from '../support/people.ts';
import { startTestServer } from '../support/server.ts';
import { logInWith, openPage, startDashboard } from './dashboard.ts';
import { fillWorld, plainTexts, type World } from './world.ts';

const { server, visit } = await startDashboard();

test('eight tabs of one browser, all in view, share one stream and go on working', async () => {
  const { page, person } = await visit({ path: '/calls' });
  const tabs = [page];
  for (let count = 1; count < 8; count++) {
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/calls`);
    tabs.push(tab);
  }
  for (const tab of tabs) await tab.getByText('Live calls: 0', { exact: true }).waitFor();
  const { body: number } = await server.post('/phone-numbers/import', {
    phone: '+4930901820',
    termination_uri: 'sip.example.com',
  });
  const { body: models } = await server.get<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    '/available-llm-models/with-voices',
  );
  const model = models.data[0]!;
  const { body: agent } = await server.post('/agents/', {
    agentName: 'Reception',
    model: model.llmModel,
    voiceId: model.voices[0]!.id,
  });
  const call = { agent_id: agent.data.id, phone_number_id: number.data.id, to: '+4930901800' };
  assert.equal((await server.post('/calls', call)).status, 200);
  for (const tab of tabs) await tab.getByText('Live calls: 1', { exact: true }).waitFor();
  // All connections would be taken if each tab held a stream.
  await tabs[7]!.reload();
  await tabs[7]!.getByText('Live calls: 1', { exact: true }).waitFor();
  // The tab that held the stream is closed; another one takes over.
  await tabs[0]!.close();
  await server.advance(60_000);
  for (const tab of tabs.slice(1)) await tab.getByText('Live calls: 0', { exact: true }).waitFor();
  assert.ok(await tabs[1]!.getByRole('button', { name: person.email, exact: true }).isVisible());
});

test('a page whose script is gone after an update of the server is loaded anew', async () => {
  const { page } = await visit({ path: '/calls' });
  await page.getByText('Live calls: 0', { exact: true }).waitFor();
  let refused = 0;
  await page.route('**/assets/*.js', async (route) => {
    refused++;
    await route.fulfill({ status: 404, body: '' });
  });
  const documents: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return;
    documents.push(new URL(request.url()).pathname);
    void page.unroute('**/assets/*.js');
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('table', { name: 'Agents', exact: true }).waitFor();
  assert.ok(refused > 0);
  assert.deepEqual(documents, ['/agents']);
});

test('an open page says that it is not live while the server is away, and mends itself', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-browser-'));
  after(() => rmSync(data, { recursive: true, force: true }));
  let own = await startTestServer({ data, testClock: false });
  t.after(() => own.stop());
  const port = new URL(own.url).port;
  const person = await aPerson(own, 'admin');
  const { page } = await visit();
  await page.goto(`${own.url}/login?next=/calls`);
  await logInWith(page, person);
  await page.getByText('Live calls: 0', { exact: true }).waitFor();
  await own.stop();
  await page
    .getByRole('banner')
    .getByText(/^Not live since/)
    .waitFor();
  own = await startTestServer({ data, testClock: false, settings: { 'http.port': port } });
  await page
    .getByRole('banner')
    .getByText(/^Not live since/)
    .waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('table', { name: 'Agents', exact: true }).waitFor();
});

/** A page of each kind: lists, one thing, a form. */
const openPaths = ({ ids }: World): string[] => [
  '/',
  '/calls',
  `/campaigns/${ids.campaign}`,
  `/knowledge/${ids.base}`,
  '/deliveries',
  `/agents/${ids.agent}`,
];

test('open pages outlive a restart of the server: they are live again, and keep what they showed', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-browser-'));
  after(() => rmSync(data, { recursive: true, force: true }));
  let own = await startTestServer({ data });
  t.after(() => own.stop());
  const port = new URL(own.url).port;
  const world = await fillWorld(own, plainTexts, after);
  const person = await aPerson(own, 'admin');
  const { page } = await visit();
  await page.goto(`${own.url}/login?next=/account`);
  await logInWith(page, person);
  await page.waitForURL(`${own.url}/account`);
  const tabs = await Promise.all(
    openPaths(world).map(async (path) => {
      const tab = await page.context().newPage();
      await openPage(tab, own.url + path);
      const heading = await tab.getByRole('heading', { level: 1 }).innerText();
      return { path, tab, heading };
    }),
  );
  const notLive = (tab: Page) => tab.getByRole('banner').getByText(/^Not live since/);
  const watching = tabs.find(({ path }) => path === '/calls')!.tab;
  await own.stop();
  await notLive(watching).waitFor();
  own = await startTestServer({ data, settings: { 'http.port': port } });
  for (const { path, tab, heading } of tabs) {
    await notLive(tab).waitFor({ state: 'detached' });
    assert.equal(await tab.getByRole('heading', { level: 1 }).innerText(), heading, path);
    assert.equal(await tab.getByRole('main').getByRole('alert').count(), 0, path);
    await tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Numbers', exact: true }).click();
    await tab.getByRole('table', { name: 'Numbers', exact: true }).getByRole('row').nth(1).waitFor();
    await tab.close();
  }
});
