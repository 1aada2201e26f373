import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../support/server.ts';
import { startBrowser } from './browser.ts';
import { expectAccessible } from './dashboard.ts';

const server = await startTestServer();
after(() => server.stop());
const open = await startBrowser();
const docs = `${server.url}/docs`;
const contacts = `${docs}/reference/contacts`;

test('the page loads only from this server and violates no policy', async () => {
  const { page, requested, problems } = await open();
  await page.goto(docs, { waitUntil: 'networkidle' });
  const origins = new Set(requested.map((url) => new URL(url).origin));
  assert.deepEqual([...origins], [server.url]);
  assert.deepEqual(problems, []);
  assert.match(await page.title(), /parley/i);
});

test('a link of the first page leads to its operation, which shows a command', async () => {
  const { page } = await open();
  await page.goto(docs);
  await page.locator('main a[href$="#createContact"]').click();
  await page.waitForURL(`${contacts}#createContact`);
  const section = page.locator('#createContact');
  await section.waitFor({ state: 'visible' });
  const box = await section.boundingBox();
  assert.ok(box && box.y < 800, 'the section is not in view');
  assert.match(await section.locator('h4:text("Try it") + .code code').innerText(), /^curl -X POST/);
});

test('a search from any page leads to the section, and a command can be copied', async () => {
  const { page, problems } = await open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${docs}/guides/operations`);
  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('restore backup');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Backup and restore', exact: true }).first().click();
  await page.waitForURL(`${docs}/guides/operations#backup-and-restore`);
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), await block.locator('code').innerText());
  assert.deepEqual(problems, []);
});

test('pages fit a phone screen', async () => {
  const { page } = await open({ width: 360 });
  for (const path of [
    docs,
    contacts,
    `${docs}/guides/operations`,
    `${docs}/guides/settings`,
    `${docs}/search?q=retry`,
  ]) {
    await page.goto(path);
    // A string, because the tests are type-checked for Node, where `document` does not exist.
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
  }
});

test('the page follows the dark mode', async () => {
  const background = async (dark: boolean): Promise<string> => {
    const { page } = await open({ dark });
    await page.goto(docs);
    return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  };
  assert.notEqual(await background(true), await background(false));
});

test('the page has landmarks and names for screen readers', async () => {
  const { page } = await open();
  await page.goto(docs);
  assert.equal(await page.locator('h1').count(), 1);
  assert.equal(await page.getByRole('main').count(), 1);
  assert.ok((await page.getByRole('navigation').count()) >= 1);
  const unnamed = await page.evaluate<number>(
    '[...document.querySelectorAll("section.operation")].filter((section) => !document.getElementById(section.getAttribute("aria-labelledby"))).length',
  );
  assert.equal(unnamed, 0);
});

test('every kind of page is free of faults that axe finds, in light and dark, and loads without a complaint', async () => {
  const paths = [
    '',
    '/guides/webhooks',
    '/guides/campaigns',
    '/guides/settings',
    '/reference/campaigns',
    '/search?q=retry',
  ];
  for (const dark of [false, true]) {
    const { page, problems } = await open({ dark });
    for (const path of paths) {
      await page.goto(docs + path, { waitUntil: 'load' });
      await expectAccessible(page);
      const broken = await page.evaluate<number>(
        '[...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).length',
      );
      assert.equal(broken, 0, `${path} has a picture that did not load`);
    }
    assert.deepEqual(problems, []);
  }
});
