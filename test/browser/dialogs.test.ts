import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aCampaign, aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { openPage, startDashboard, watchRequests } from './dashboard.ts';
import { faultsOf } from './fits.ts';
import { fillWorld, plainTexts } from './world.ts';

/** Opens every dialog that it finds, with a server that refuses whatever is sent. */

const { server, visit } = await startDashboard();
const { ids } = await fillWorld(server, plainTexts, after);
const draft = await aCampaign(server, { name: 'Draft' });
const [agent] = dataOf(await server.get<Array<{ id: string }>>('/agents'));
const [number] = dataOf(await server.get<Array<{ id: string }>>('/phone-numbers'));
dataOf(await server.patch(`/campaigns/${draft.id}/`, { agentId: agent!.id, phoneNumberId: number!.id }));
dataOf(await server.post(`/campaigns/${draft.id}/contacts`, { contacts: [{ phone: aPhone() }] }));
dataOf(await server.put(`/agents/${ids.agent}`, { prompt: 'Be brief.' }));

/** The dialogs of each page, as their names begin. A new page or dialog is added here. */
const dialogsOf: Readonly<Record<string, readonly string[]>> = {
  [`/campaigns/${ids.campaign}`]: ['Complete'],
  [`/campaigns/${draft.id}`]: ['Start calling?'],
  [`/campaigns/${draft.id}?tab=settings`]: ['Delete'],
  '/contacts': ['New contact', 'Save this view'],
  [`/contacts/${ids.contact}`]: ['Call now', 'Delete', 'Erase', 'Never call'],
  '/calls': ['Save this view'],
  '/numbers': ['Edit +', 'Import a number', 'Release'],
  '/calendar': ['Connect a calendar'],
  '/knowledge': ['New knowledge base'],
  [`/knowledge/${ids.base}`]: ['Add sources', 'Delete', 'Remove'],
  '/do-not-call': ['Remove'],
  '/people': ['Change the role', 'Disable', 'Invite a person', 'New key', 'Remove', 'Revoke', 'Rotate'],
  [`/agents/${ids.agent}`]: ['Try a call'],
  [`/agents/${ids.agent}?tab=settings`]: ['Delete'],
  [`/agents/${ids.agent}?tab=webhooks`]: ['Rotate'],
  [`/agents/${ids.agent}?tab=versions`]: ['Restore'],
};

const refusal = 'Refused by the test.';
const faultText = 'is odd, says the test';

/** In place of the server: refuses as a whole, or one field. */
type Answer = { field?: string };

async function refuseAll(page: Page): Promise<Answer> {
  const answer: Answer = {};
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request();
    if (['GET', 'HEAD'].includes(request.method()) || request.url().endsWith('/plan')) return route.fallback();
    const details = answer.field === undefined ? [] : [{ path: answer.field, message: faultText }];
    const [status, code] = details.length > 0 ? [400, 'INVALID_REQUEST'] : [409, 'CONFLICT'];
    const body = { success: false, code, error: refusal, message: refusal, details, request_id: 'r' };
    return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });
  });
  return answer;
}

const written: Readonly<Record<string, string>> = {
  email: 'typed@example.com',
  number: '7',
  tel: '+4930901899',
  time: '10:30',
  url: 'https://example.com/typed',
};

/** Types something into each field that takes text, and answers what stands in it. */
async function typeAll(dialog: Locator): Promise<string[]> {
  const fields = dialog.locator(
    'input:not([type=checkbox], [type=radio], [type=file]):visible:enabled, textarea:visible',
  );
  const values: string[] = [];
  for (const field of await fields.all()) {
    const type = (await field.getAttribute('type')) ?? 'text';
    await field.fill(written[type] ?? 'Typed');
    values.push(await field.inputValue());
  }
  return values;
}

const valuesIn = (dialog: Locator): Promise<string[]> =>
  dialog
    .locator('input:not([type=checkbox], [type=radio], [type=file]):visible:enabled, textarea:visible')
    .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value));

/** Sends what the dialog sends, twice: refused as a whole, and for one field. */
async function expectRefusalInside(dialog: Locator, answer: Answer): Promise<void> {
  const typed = await typeAll(dialog);
  const send = dialog.locator('form button[type=submit], .buttons button').last();
  delete answer.field;
  await send.click();
  await dialog.getByRole('alert').getByText(refusal).waitFor();
  assert.deepEqual(await valuesIn(dialog), typed);
  const name = await dialog
    .locator('form [name]:visible')
    .first()
    .getAttribute('name', { timeout: 1 })
    .catch(() => null);
  if (name === null) return;
  answer.field = name;
  await send.click();
  await dialog.locator(`[aria-invalid=true]`).first().waitFor();
  await dialog.locator('.fault').getByText(faultText).waitFor();
  assert.deepEqual(await valuesIn(dialog), typed);
}

/** On a phone and on a large screen. */
async function expectFit(page: Page): Promise<void> {
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await faultsOf(page), [], `${width} px`);
  }
}

/** Leaves all dialogs, and what was typed. */
async function closeAll(page: Page): Promise<void> {
  const leave = page.getByRole('button', { name: 'Leave', exact: true });
  for (let tries = 5; tries > 0 && (await page.locator('dialog[open]').count()) > 0; tries--) {
    if (await leave.isVisible()) await leave.click();
    else await page.keyboard.press('Escape');
    await page.evaluate('new Promise((done) => setTimeout(done))');
  }
}

describe('a refusal is shown inside the dialog, and what was typed stays', () => {
  let page: Page;
  let settled: () => Promise<void>;
  let refusing: Answer;
  before(async () => {
    ({ page } = await visit({ path: '/account' }));
    settled = watchRequests(page);
    refusing = await refuseAll(page);
  });
  for (const [path, expected] of Object.entries(dialogsOf)) {
    test(path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}'), async () => {
      await openPage(page, server.url + path);
      await settled();
      const buttons = page.getByRole('main').locator('button:not([role=tab]):visible:enabled');
      const labels = [...new Set((await buttons.allInnerTexts()).filter((text) => text !== ''))];
      const found: string[] = [];
      for (const label of labels) {
        if (page.url() !== server.url + path) await openPage(page, server.url + path); // “Talk to this agent” opens another tab
        const button = page
          .getByRole('main')
          .locator('button:not([role=tab]):visible:enabled')
          .filter({ hasText: label })
          .first();
        if (!(await button.isVisible())) continue;
        await button.click();
        await settled();
        const dialog = page.locator('dialog[open]').last();
        if (!(await dialog.isVisible())) continue;
        const title = await dialog.getByRole('heading', { level: 2 }).first().innerText();
        if (expected.some((name) => title.startsWith(name)) && !found.includes(title)) {
          await expectFit(page);
          await expectRefusalInside(dialog, refusing);
          found.push(title);
        }
        await closeAll(page);
      }
      for (const name of expected)
        assert.ok(
          found.some((title) => title.startsWith(name)),
          `${name}: ${found.join(', ')}`,
        );
    });
  }
  test('stop all calling', async () => {
    await openPage(page, `${server.url}/account`);
    await page.getByRole('banner').getByRole('button', { name: 'Stop all calling', exact: true }).click();
    await expectRefusalInside(page.getByRole('dialog', { name: 'Stop all calling', exact: false }), refusing);
  });
});
