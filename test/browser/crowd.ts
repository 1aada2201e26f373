/**
 * Looks at every page of a large organization whose texts are words without end, markup, other directions and families of emoji: 100,000
 * contacts, 1,000,000 calls and 1,000 campaigns, or as many of them as CROWD says (0.1: a tenth). Each page must fit every width in both
 * themes, at 200 % and with forced colours, and must not move; the overview and the campaigns must be painted within a second.
 *
 *   CROWD=0.1 npm run test:browser:crowd
 *
 * CROWD_PATH=/campaigns looks only at pages with that in their path; CROWD_DATA names a directory that keeps the organization for the next run.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { aCampaign } from '../support/fixtures.ts';
import { crowd } from '../support/crowd.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { openPage, startDashboard, watchRequests } from './dashboard.ts';
import { faultsOf, setTextSize, widths, withTabs } from './fits.ts';
import { fillWorld, hostileTexts, pagesOf, type World } from './world.ts';

const share = Number(process.env['CROWD'] ?? 1);
const part = process.env['CROWD_PATH'] ?? '';
const sizes = { campaigns: 1000 * share, contacts: 100_000 * share, calls: 1_000_000 * share };

type Filled = { world: World; testClock: string };

/** Fills a data directory, and stops the server that did, so that the pages are seen after a start. */
async function fill(): Promise<void> {
  const own = await startTestServer({ data: kept, checkAnswers: false });
  const { app } = own.running;
  const world = await fillWorld(own, hostileTexts, after);
  await crowd(app.db, { ...world.ids, now: app.clock.now() }, sizes);
  const testClock = Temporal.Instant.fromEpochMilliseconds(app.clock.now()).toString();
  await own.stop();
  writeFileSync(record, JSON.stringify({ world, testClock }));
}

const scratch = mkdtempSync(join(tmpdir(), 'parley-crowd-'));
const directory = process.env['CROWD_DATA'] ?? scratch;
const [kept, record, data] = [join(directory, 'kept'), join(directory, 'world.json'), join(scratch, 'data')];
if (!existsSync(record)) await fill();
const { world, testClock } = JSON.parse(readFileSync(record, 'utf8')) as Filled;
if (directory === scratch) renameSync(kept, data);
else cpSync(kept, data, { recursive: true });
const { server, visit } = await startDashboard({ data, testClock, checkAnswers: false });
after(() => rmSync(scratch, { recursive: true, force: true }));
await ringMany(world);

/** Lets some fifty calls be under way. */
async function ringMany({ ids }: World): Promise<void> {
  const { agentId, phoneNumberId } = dataOf(await server.get(`/campaigns/${ids.campaign}`));
  const schedule = { maxConcurrent: 100 };
  const { id } = await aCampaign(server, { name: hostileTexts.short, agentId, phoneNumberId, schedule, maxCps: 10 });
  dataOf(await server.patch(`/phone-numbers/${String(phoneNumberId)}`, { max_concurrent: 200, max_cps: 20 }));
  const contacts = Array.from({ length: 60 }, (_, at) => ({
    phone: `+493090${19000 + at}`,
    first_name: hostileTexts.short,
  }));
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
  await server.advance(6000);
}

type Look = { name: string; width: number; dark?: boolean; forced?: boolean; percent?: number };

const looks: Look[] = [
  ...widths.flatMap((width) => [{ width }, { width, dark: true }]),
  ...[390, 1440].map((width) => ({ width, forced: true })),
  { width: 720 }, // 1440 pixels at 200 %
  ...[768, 1440].map((width) => ({ width, percent: 200 })),
].map((look: Omit<Look, 'name'>) => ({ ...look, name: JSON.stringify(look) }));

async function faultsIn(page: Page, { width, dark = false, forced = false, percent = 100 }: Look): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', forcedColors: forced ? 'active' : 'none' });
  await setTextSize(page, percent);
  return faultsOf(page);
}

type Seen = { paintedMs: number; shift: number; moved: string[] };

/** In the page: when its largest part was painted, how much it moved, and what moved. */
const paintScript = `new Promise((resolve) => {
  const seen = { paintedMs: 0, shift: 0, moved: [] };
  const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const move = ({ node, previousRect, currentRect }) =>
    (node?.tagName ?? 'text') + '.' + (node?.className ?? '') + ' ' + boxOf(previousRect) + ' → ' + boxOf(currentRect);
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { seen.paintedMs = entry.startTime; });
  watch('layout-shift', (entry) => {
    if (entry.hadRecentInput) return;
    seen.shift += entry.value;
    seen.moved.push(...entry.sources.map(move));
  });
  setTimeout(() => resolve(seen), 1500); // what comes with the stream may move it, too
})`;

/** Opens a page and tells what it took; the slowest request of the interface in milliseconds, too. */
async function measure(t: TestContext, page: Page, url: string): Promise<Seen> {
  let slowest = { path: '', ms: 0 };
  const settled = watchRequests(page);
  page.on('requestfinished', (request) => {
    const ms = request.timing().responseEnd;
    if (request.url().includes('/api/') && ms > slowest.ms)
      slowest = { path: request.url().slice(server.url.length, server.url.length + 80), ms };
  });
  await openPage(page, url);
  await settled();
  const seen = await page.evaluate<Seen>(paintScript);
  page.removeAllListeners('requestfinished');
  t.diagnostic(
    `painted after ${seen.paintedMs.toFixed(0)} ms, moved by ${seen.shift.toFixed(3)}, slowest ${slowest.path} ${slowest.ms.toFixed(0)} ms`,
  );
  return seen;
}

describe(`every page of an organization of ${sizes.calls} calls fits, and is soon there`, () => {
  let page: Page;
  before(async () => void ({ page } = await visit({ path: '/account' })));
  const look = (name: string, path: string): unknown =>
    test(name, async (t) => {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await page.setViewportSize({ width: 1440, height: 900 });
      const { paintedMs, shift, moved } = await measure(t, page, server.url + path);
      const faults: string[] = [];
      for (const each of looks) faults.push(...(await faultsIn(page, each)).map((fault) => `${each.name}: ${fault}`));
      assert.deepEqual(faults, []);
      assert.ok(shift <= 0.02, `it moved by ${shift}: ${moved.join(', ')}`);
      if (['/', '/campaigns'].includes(path)) assert.ok(paintedMs <= 1000, `painted after ${paintedMs} ms`);
    });
  look('/, the first page after a start', '/');
  for (const path of [...pagesOf(world), '/analytics', '/analytics?span=90']
    .flatMap(withTabs)
    .filter((each) => each.includes(part)))
    look(path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}'), path);
});
