import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { startDashboard } from './dashboard.ts';

const { server, open } = await startDashboard();

/** More than any page of this run has. */
const maxTabs = 150;

type Focused = { name: string; role: string; outlined: boolean };

/** The focused element, as a screen reader names it. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate<Focused>(`(() => {
    const { activeElement: element } = document;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 10));
    return {
      name: label.trim(),
      role: element.getAttribute('role') ?? element.localName,
      outlined: (outlineStyle !== 'none' && outlineWidth !== '0px') && (element.contains(seen) || seen?.contains(element)),
    };
  })()`);

/** Presses Tab until something of that name has the focus; what has it on the way must be seen to have it. */
async function tabTo(page: Page, name: string): Promise<void> {
  if ((await focused(page)).name === name) return;
  for (let presses = 0; presses < maxTabs; presses++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now.role !== 'body') assert.ok(now.outlined, `the focus on “${now.name}” cannot be seen`);
    if (now.name === name) return;
  }
  throw new Error(`Tab does not lead to “${name}”`);
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

test('by keyboard alone a person logs in, makes a campaign, imports contacts and starts it', async () => {
  await anAgent(server, { agentName: 'Robin' });
  await aNumber(server, { phone: '+4930901820' });
  const person = await aPerson(server, 'member');
  const { page, expectQuiet } = await open('/login');
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await type(page, 'E-mail', person.email);
  await type(page, 'Password', aPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();

  await tabTo(page, 'Campaigns');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Campaigns', exact: true, level: 1 }).waitFor();
  await tabTo(page, 'New campaign');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New campaign', exact: true, level: 1 }).waitFor();
  await page.getByRole('combobox', { name: 'Agent', exact: true }).waitFor();
  await type(page, 'Name', 'By keys');
  await tabTo(page, 'Agent');
  await page.keyboard.type('Robin');
  await tabTo(page, 'Caller number');
  await page.keyboard.type('+4930901820');
  await type(page, 'Time zone', 'UTC');
  await tabTo(page, 'Save draft');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keys', exact: true, level: 1 }).waitFor();

  await tabTo(page, 'Import contacts');
  await page.keyboard.press('Enter');
  const importing = page.getByRole('dialog', { name: 'Import contacts', exact: true });
  await importing.waitFor();
  await tabTo(page, 'CSV file');
  // The window in which a file is chosen belongs to the system.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
  await chooser.setFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('First name,Phone\nAda,+4930901800\n'),
  });
  await importing.getByText('1 of 1 rows can be imported', { exact: true }).waitFor();
  await tabTo(page, 'Import');
  await page.keyboard.press('Enter');
  await importing.waitFor({ state: 'hidden' });
  await page.getByRole('table', { name: 'Contacts', exact: true }).getByText('+4930901800').waitFor();

  await tabTo(page, 'Start');
  await page.keyboard.press('Enter');
  const starting = page.getByRole('dialog', { name: 'Start calling?', exact: true });
  await starting.getByText('1 contact can be called').waitFor();
  assert.equal((await focused(page)).name, 'Cancel', 'the focus is first on what changes nothing');
  await tabTo(page, 'Start calling');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const { data } = (await server.get<Array<Record<string, unknown>>>('/campaigns/')).body;
  assert.equal(data[0]!['status'], 'active');
  expectQuiet();
});
