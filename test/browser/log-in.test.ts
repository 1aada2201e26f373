import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPassword, aPerson } from '../support/people.ts';
import { dataOf } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, logInWith, startDashboard } from './dashboard.ts';

const { server, open, visit } = await startDashboard();

test('the set-up link makes the first person, who is then logged in, and works once', async () => {
  const path = server.running.setupUrl!.replace(/^[^/]*\/\/[^/]*/, '');
  const { page, expectQuiet } = await open(path);
  await page.getByRole('heading', { name: 'Set up parley', exact: true }).waitFor();
  assert.equal(page.url(), `${server.url}/setup`, 'the token stays in the address bar');
  assert.equal(await page.title(), 'Set up parley · parley');
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('first@example.com');
  await page.getByLabel('Password', { exact: true }).fill(aPassword);
  await page.getByRole('textbox', { name: 'Organization', exact: true }).fill('Example Ltd');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.waitForURL(`${server.url}/`);
  await page.getByRole('button', { name: 'first@example.com', exact: true }).waitFor();
  expectQuiet();

  const again = await open(path);
  await again.page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('second@example.com');
  await again.page.getByLabel('Password', { exact: true }).fill(aPassword);
  await again.page.getByRole('button', { name: 'Set up', exact: true }).click();
  await again.page.getByRole('alert').getByText('parley users setup-link').waitFor();
});

test('who was invited is greeted by the organization, with the e-mail filled in', async () => {
  dataOf(await server.patch('/organization', { name: 'Lindenhof Dental' }));
  const invited = { email: 'colleague@example.com', role: 'member' };
  const { link } = dataOf(await server.post<{ link: string }>('/users', invited));
  const path = new URL(link).pathname + new URL(link).search;
  const { page, expectQuiet } = await open(path);
  await page.getByRole('heading', { name: 'Join Lindenhof Dental', exact: true, level: 1 }).waitFor();
  const email = page.getByRole('textbox', { name: 'E-mail', exact: true });
  assert.equal(await email.inputValue(), 'colleague@example.com');
  assert.equal(await email.getAttribute('readonly'), '');
  assert.equal(await page.getByRole('textbox', { name: 'Organization', exact: true }).count(), 0);
  await page.getByText('You join as a member', { exact: false }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill(aPassword);
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByRole('button', { name: 'colleague@example.com', exact: true }).waitFor();
  expectQuiet();
});

test('a fault of set-up stands at its field, which gets the focus', async () => {
  const { page } = await open('/setup?token=whatever');
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('not an address');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  const email = page.getByRole('textbox', { name: 'E-mail', exact: true });
  await page.getByRole('alert').waitFor();
  assert.equal(await email.getAttribute('aria-invalid'), 'true');
  const describedBy = await email.getAttribute('aria-describedby');
  assert.match(await page.locator(`[id="${describedBy}"]`).innerText(), /e-?mail/i);
  await page.locator('input[name=email]:focus').waitFor();
});

test('without a session every page leads to the log-in page and back', async () => {
  const person = await aPerson(server);
  const { page, expectQuiet } = await open('/account');
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  assert.equal(page.url(), `${server.url}/login?next=%2Faccount`);
  assert.equal(await page.title(), 'Log in · parley');
  await expectAccessible(page);
  await logInWith(page, person);
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  assert.equal(page.url(), `${server.url}/account`);
  await page.reload();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  expectQuiet();
});

test('the overview, too, leads to the log-in page and back', async () => {
  const person = await aPerson(server);
  const { page } = await open('/');
  await page.waitForURL(`${server.url}/login?next=%2F`);
  await logInWith(page, person);
  await page.waitForURL(`${server.url}/`);
});

test('set-up goes on to `next`, too, if it is a path of this server', async () => {
  for (const [next, path] of [
    ['/campaigns?status=draft', '/campaigns?status=draft'],
    ['//evil.example/campaigns', '/'],
  ] as const) {
    const invited = { email: `next-${path.length}@example.com`, role: 'member' };
    const { link } = dataOf(await server.post<{ link: string }>('/users', invited));
    const { page } = await open(`/setup${new URL(link).search}&next=${encodeURIComponent(next)}`);
    await page.getByLabel('Password', { exact: true }).fill(aPassword);
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.waitForURL(server.url + path);
  }
});

test('`next` never leads to another server', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login']) {
    const person = await aPerson(server);
    const { page } = await open(`/login?next=${encodeURIComponent(next)}`);
    await logInWith(page, person);
    await page.waitForURL(`${server.url}/`);
  }
});

test('a wrong password is told in an alert, and what was typed stays', async () => {
  const person = await aPerson(server);
  const { page } = await open('/login');
  await logInWith(page, person, 'not the password');
  await page
    .getByRole('alert')
    .getByText(/password/i)
    .waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'E-mail', exact: true }).inputValue(), person.email);
});

test('every page has its landmarks, and the menu of the person logs out', async () => {
  const { page, person, expectQuiet } = await visit({ role: 'admin' });
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  for (const role of ['banner', 'main'] as const) assert.equal(await page.getByRole(role).count(), 1, role);
  assert.equal(await page.getByRole('navigation', { name: 'Main', exact: true }).count(), 1);
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  await page.getByRole('banner').getByText('Simulated: no telephone rings', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  assert.ok(await page.getByRole('combobox', { name: 'Times in', exact: true }).isVisible());
  await page.getByRole('button', { name: person.email, exact: true }).click();
  await expectAccessible(page);
  await page.getByRole('menuitemradio', { name: 'Dark', exact: true }).click();
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark');
  await expectAccessible(page);
  await page.getByRole('button', { name: person.email, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  expectQuiet();
});

test('a session that ends under an open form is renewed over it, and nothing typed is lost', async () => {
  const { page, person } = await visit();
  const current = page.getByLabel('Current password', { exact: true });
  await current.fill('typed before');
  const dialog = page.getByRole('dialog', { name: 'Log in', exact: true });
  await page.keyboard.press('Control+k');
  await page
    .locator(':focus')
    .and(page.getByRole('dialog', { name: 'Search or go to', exact: true }).getByRole('combobox'))
    .waitFor();
  await page.context().clearCookies();
  await page.keyboard.type('a'); // the palette asks the server, which tells that the session has ended
  await page
    .locator(':focus')
    .and(dialog.getByLabel('Password', { exact: true }))
    .waitFor();
  await page.keyboard.type(aPassword);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  assert.equal(await current.inputValue(), 'typed before');
  assert.ok(await page.getByRole('button', { name: person.email, exact: true }).isVisible());
});

test('keys open the search and the list of shortcuts', async () => {
  const { page } = await visit();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search or go to', exact: true });
  assert.equal(await search.getByRole('combobox').count(), 1);
  await expectAccessible(page);
  await search.getByRole('combobox').fill('acc');
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'hidden' });
  await page.locator('h1').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true }).waitFor();
});

for (const width of [320, 768, 1440]) {
  for (const dark of [false, true]) {
    test(`log-in and account fit ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
      const login = await open('/login', { width, dark });
      await login.page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
      await expectNoSidewaysScroll(login.page);
      await expectAccessible(login.page);
      const { page } = await visit({ width, dark });
      await page.getByRole('table', { name: 'Sessions', exact: true }).waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
  }
}
