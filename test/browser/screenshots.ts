/**
 * Writes a screenshot of every page, in both themes and five widths, at 200 % and with forced colours, and fails where a page scrolls
 * sideways or cuts a text off. The world "demo" is that of `parley demo`, in the two widths of the mock-ups and with every tab:
 *
 *   node test/browser/screenshots.ts FOLDER [PART OF A PATH] [--world=plain|hostile|empty|demo]
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openPage, startDashboard } from './dashboard.ts';
import { openDemo } from './demo-pages.ts';
import { fillWorld, pagesOf, plainTexts, type Texts } from './world.ts';

const { values, positionals } = parseArgs({
  options: { world: { type: 'string', default: 'plain' } },
  allowPositionals: true,
});
const [folder = 'screenshots', part = ''] = positionals;
mkdirSync(folder, { recursive: true });

const { server, visit, open } = await startDashboard();

const word = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaftsvorstandssaal';
const hostileTexts: Texts = {
  short: `${word} <b>مرحبا</b> 👩‍👩‍👧‍👦`,
  long: `<script>alert(1)</script> مرحبا بالعالم 👩‍👩‍👧‍👦 0 ${word} `.repeat(20),
};

/** The pages of the wanted world; an empty organization has those of no thing. */
async function worldPages(): Promise<string[]> {
  const ids = { campaign: '', contact: '', call: '', agent: '', base: '', delivery: '' };
  if (values.world === 'empty') return [...new Set(pagesOf({ ids }).map((path) => path.replace(/(.)\/$/, '$1')))];
  return pagesOf(await fillWorld(server, values.world === 'hostile' ? hostileTexts : plainTexts, after));
}

/** `/campaigns/<id>` as `campaigns-one`. */
const nameOf = (path: string): string =>
  path === '/'
    ? 'overview'
    : path
        .slice(1)
        .replaceAll(/[\da-f]{8}-[-\da-f]+/g, 'one')
        .replaceAll(/[^\w-]+/g, '-');

const faults: string[] = [];

test('screenshots', async (t) => {
  const { page } = await visit({ path: '/account' });
  const { url, paths } =
    values.world === 'demo' ? await openDemo(t, page) : { url: server.url, paths: await worldPages() };
  for (const path of [...paths, '/analytics'].filter((each) => each.includes(part))) {
    await openPage(page, url + path);
    await shoot(page, path);
  }
  for (const path of ['/login', '/setup'].filter((each) => each.includes(part))) {
    const { page: ofNobody } = await open(path);
    await ofNobody.getByRole('heading', { level: 1 }).waitFor();
    await shoot(ofNobody, path);
  }
  assert.equal(faults.join('\n'), '');
});

async function shoot(page: Page, path: string): Promise<void> {
  const isDemo = values.world === 'demo';
  for (const width of isDemo ? [390, 1440] : [320, 390, 768, 1440, 1920]) {
    for (const theme of ['light', 'dark'] as const) await shootAs(page, path, width, theme);
  }
  if (isDemo) return;
  await shootAs(page, path, 1440, 'forced');
  await shootAs(page, path, 720, 'zoomed'); // 1440 pixels at 200 %
}

type Look = 'light' | 'dark' | 'forced' | 'zoomed';

async function shootAs(page: Page, path: string, width: number, look: Look): Promise<void> {
  await page.setViewportSize({ width, height: look === 'zoomed' ? 450 : 900 });
  await page.emulateMedia({
    colorScheme: look === 'dark' ? 'dark' : 'light',
    forcedColors: look === 'forced' ? 'active' : 'none',
  });
  const name = `${nameOf(path)}-${width}-${look}`;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  faults.push(...(await page.evaluate<string[]>(faultsOf)).map((fault) => `${name}: ${fault}`));
}

/** In the page: whether it scrolls sideways, and texts that end beyond the window or beyond a box that hides what is too wide. */
const faultsOf = `(() => {
  const faults = [];
  const tooWide = document.documentElement.scrollWidth - innerWidth;
  if (tooWide > 0) faults.push('scrolls sideways by ' + tooWide + ' px');
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.visually-hidden, svg, [hidden], .skip')) continue;
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (texts.length === 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect();
    if (box.width <= 1) continue;
    let holder = element;
    while (holder && !/auto|scroll|hidden|clip/.test(getComputedStyle(holder).overflowX)) holder = holder.parentElement;
    if (holder && /auto|scroll/.test(getComputedStyle(holder).overflowX)) continue;
    if (holder && getComputedStyle(holder).textOverflow === 'ellipsis') continue;
    if (holder && holder.getBoundingClientRect().width <= 1) continue; // for screen readers
    const edge = holder ? holder.getBoundingClientRect() : { left: 0, right: innerWidth };
    if (box.right > edge.right + 1 || box.left < edge.left - 1)
      faults.push('cut: ' + element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 40));
  }
  return [...new Set(faults)];
})()`;
