import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { aPerson } from '../support/people.ts';
import { dataOf } from '../support/server.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectStable,
  logInWith,
  openPage,
  startDashboard,
} from './dashboard.ts';

const { server, open, visit } = await startDashboard();
const [agent, number] = [await anAgent(server, { agentName: 'Robin' }), await aNumber(server)];
const campaign = await aCampaign(server, { name: 'Spring', agentId: agent.id, phoneNumberId: number.id });
const contacts = Array.from({ length: 30 }, (_, at) => ({ phone: `+49309018${String(at).padStart(2, '0')}` }));
dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
await server.advance(900_000);

test('analytics shows a span in figures, pictures and tables, all of it in the address', async () => {
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/account' });
  await openPage(page, `${server.url}/analytics`);
  for (const name of ['Answer and goal rate', 'When people answer', 'How fast it replies']) {
    await page.getByRole('figure', { name, exact: true }).waitFor();
  }
  await expectStable(page);
  const row = page.getByRole('table', { name: 'By campaign', exact: true }).getByRole('row').nth(1);
  assert.match(await row.innerText(), /^Spring\s+29\s/, 'the end of the call to 08 is never reported');
  await page.getByRole('table', { name: 'Which version', exact: true }).getByRole('row').nth(1).waitFor();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption({ label: 'Robin' });
  await page
    .getByRole('group', { name: 'Span', exact: true })
    .getByRole('button', { name: '30 days', exact: true })
    .click();
  await page.waitForURL(/span=30/);
  assert.match(page.url(), /agent_id=/);
  await page.reload();
  await page.getByRole('button', { name: '30 days', exact: true, pressed: true }).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'analytics.csv');
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  expectQuiet();
});

test('the hours are read by arrow keys and by pointer', async () => {
  const { page, expectQuiet } = await visit({ role: 'viewer', path: '/analytics' });
  const figure = page.getByRole('figure', { name: 'When people answer', exact: true });
  const reading = figure.getByRole('slider', { name: 'When people answer, step by step', exact: true });
  await reading.focus();
  await reading.press('ArrowRight');
  await figure.getByText(/^Monday \d\d: /).waitFor();
  await reading.press('ArrowDown');
  await figure.getByText(/^Tuesday \d\d: /).waitFor();
  assert.match((await reading.getAttribute('aria-valuetext')) ?? '', /^Tuesday \d\d: /);
  await reading.press('End');
  await figure.getByText(/^Sunday \d\d: /).waitFor();
  await reading.press('Escape');
  await figure.getByText(/^Sunday \d\d: /).waitFor({ state: 'detached' });
  await reading.locator('svg').first().hover();
  await figure.getByText(/^Monday \d\d: /).waitFor();
  await expectAccessible(page);
  expectQuiet();
});

test('a long name hides no figure beside it', async () => {
  const { page } = await visit({ role: 'viewer', path: '/analytics' });
  await page.setViewportSize({ width: 1440, height: 900 });
  const renamed = { agentName: `Robin-${'unbreakable'.repeat(6)}` };
  dataOf(await server.put(`/agents/${agent.id}`, renamed));
  await page.reload();
  for (const name of ['By agent', 'Which version']) {
    const frame = page.getByRole('group', { name, exact: true });
    await frame.getByText(renamed.agentName).first().waitFor();
    const hidden = await frame.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.equal(hidden, 0, name);
  }
});

test('who logs in to analytics sees the days of the server, however late it says its time', async () => {
  const person = await aPerson(server, 'viewer');
  const { page, expectQuiet } = await open('/login?next=%2Fanalytics');
  const spans: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/v1/analytics') spans.push(searchParams.get('from')!);
  });
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<() => Promise<void>>();
  await page.route('**/api/v1/system', (route) => onAsked(() => route.continue()), { times: 1 });
  await logInWith(page, person);
  const answer = await asked;
  // What the page would ask for meanwhile comes before the answers to these.
  for (let n = 0; n < 5; n += 1) await page.evaluate('fetch("/livez").then((response) => response.text())');
  await answer();
  await page.getByRole('figure', { name: 'When people answer', exact: true }).getByRole('slider').waitFor();
  assert.deepEqual([...new Set(spans.map((from) => from.slice(0, 4)))], ['2026']);
  expectQuiet();
});
