import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, startDashboard } from './dashboard.ts';
import { fillWorld, plainTexts } from './world.ts';

const { server, visit } = await startDashboard();
const { ids } = await fillWorld(server, plainTexts, after);

/** In the page: of each legend how its marks are painted: fill, stroke, its dashes. */
const paints = `[...document.querySelectorAll('ul.legend')].map((legend) =>
  [...legend.querySelectorAll('svg')].map((mark) => [...mark.children].map((shape) => {
    const { fill, stroke, strokeDasharray } = getComputedStyle(shape);
    return [shape.tagName, fill, stroke, strokeDasharray].join(' ');
  }).join()))`;

async function expectToldApart(page: Page, path: string): Promise<void> {
  await openPage(page, server.url + path);
  for (const marks of await page.evaluate<string[][]>(paints)) {
    assert.equal(new Set(marks).size, marks.length, `${path}: ${marks.join('\n')}`);
  }
}

test('without colours every series of a legend is told apart, in bars and lines, strips and recordings', async () => {
  const { page } = await visit({ path: '/account' });
  await page.emulateMedia({ forcedColors: 'active' });
  const contacts = Array.from({ length: 60 }, (_, at) => ({ phone: `+49309017${String(10 + at)}` }));
  await server.post(`/campaigns/${ids.campaign}/contacts`, { contacts });
  await server.advance(30_000);
  for (const path of [
    '/',
    '/analytics',
    `/campaigns/${ids.campaign}`,
    `/contacts/${ids.contact}`,
    `/calls/${ids.call}`,
  ])
    await expectToldApart(page, path);
});

test('the count beside the current link is as readable as the link', async () => {
  const { page } = await visit({ path: '/campaigns' });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForSelector('.main-nav li:has([aria-current]) .count'); // comes with the first live event
  const [link, count] = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.main-nav li:has([aria-current]) :is(a, .count)')].map((each) => getComputedStyle(each).color)`,
  );
  assert.ok(count);
  assert.equal(count, link);
});
