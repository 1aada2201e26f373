/**
 * Measures the screen for the wall while a campaign starts 10 calls a second: the browser's processor time, its memory after collecting
 * garbage, and tasks and frames that take longer than 50 ms. Figures of memory are lines through one look in ten seconds, for an hour.
 *
 *   npm run bench:wall [-- --quick] [-- --minutes=5]
 */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { send, startCampaign } from './support/calling-campaign.ts';
import { progress, quick, report } from './support/report.ts';
import { serve, type Served, usageOf } from './support/serve.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, minutes: { type: 'string', default: '5' } },
});
const seconds = quick ? 40 : Number(values.minutes) * 60;
const lookSec = 10;

const executablePath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium'].find((path) => existsSync(path));
if (executablePath === undefined) throw new Error('Chromium is needed: install it, or name one in CHROMIUM.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Opens the wall as an invited person. */
async function openWall(server: Served): Promise<Page> {
  const { link } = await send<{ link: string }>(server, 'POST', '/users', {
    email: 'wall@example.com',
    role: 'viewer',
  });
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  await page.goto(server.url + new URL(link).pathname + new URL(link).search);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.waitForURL(`${server.url}/`);
  await page.addInitScript(`
    window.slow = { tasks: 0, frames: 0, longest: 0 };
    const watch = (type, name) => new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => {
      slow[name]++;
      slow.longest = Math.max(slow.longest, duration);
    })).observe({ type, buffered: false });
    watch('longtask', 'tasks');
    watch('long-animation-frame', 'frames');
  `);
  await page.goto(`${server.url}/live`);
  await page.getByRole('figure', { name: 'The day by hour', exact: true }).waitFor();
  return page;
}

type Used = { renderer: number; all: number };

/** Processor time of the browser's processes in seconds. */
async function usedBy(devtools: CDPSession): Promise<Used> {
  const { processInfo } = (await devtools.send('SystemInfo.getProcessInfo')) as {
    processInfo: Array<{ type: string; cpuTime: number }>;
  };
  const sum = (of: typeof processInfo): number => of.reduce((all, { cpuTime }) => all + cpuTime, 0);
  return { renderer: sum(processInfo.filter(({ type }) => type === 'renderer')), all: sum(processInfo) };
}

type Memory = { heapMiB: number; nodes: number; listeners: number };

async function memoryOf(devtools: CDPSession): Promise<Memory> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (wanted: string): number => metrics.find(({ name }) => name === wanted)!.value;
  return {
    heapMiB: metric('JSHeapUsedSize') / 2 ** 20,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  };
}

/** How much a figure grows in an hour, by the line of the least squares. */
function growthAnHour(looks: readonly Memory[], name: keyof Memory): number {
  const middle = (looks.length - 1) / 2;
  const mean = looks.reduce((sum, look) => sum + look[name], 0) / looks.length;
  const [up, down] = looks.reduce(
    ([a, b], look, at) => [a + (at - middle) * (look[name] - mean), b + (at - middle) ** 2],
    [0, 0],
  );
  return (up / down) * (3600 / lookSec);
}

const server = await serve(['--set', 'http.rate_limit.per_second=0', '--set', 'limits.organization.max_cps=1000']);
await startCampaign(server, 10);
const page = await openWall(server);
const [ofPage, ofBrowser] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()];
await ofPage.send('Performance.enable');
progress('lets the first calls end');
await setTimeout(quick ? 5000 : 60_000); // until as many calls end as begin
await page.evaluate('Object.assign(slow, { tasks: 0, frames: 0, longest: 0 })');
const looks: Memory[] = [];
const [before, serverBefore] = [await usedBy(ofBrowser), usageOf(server.pid)!];
const startedAt = performance.now();
for (let second = 0; second < seconds; second += lookSec) {
  if (second % 60 === 0) progress(`second ${second} of ${seconds}`);
  await setTimeout(lookSec * 1000);
  looks.push(await memoryOf(ofPage));
}
const elapsed = (performance.now() - startedAt) / 1000;
const [after, serverAfter] = [await usedBy(ofBrowser), usageOf(server.pid)!];
const slow = await page.evaluate<{ tasks: number; frames: number; longest: number }>('slow');
const { in_flight: live } = await page.evaluate<{ in_flight: { ringing: number; talking: number } }>(
  "fetch('/api/v1/calling').then((answer) => answer.json()).then(({ data }) => data)",
);
await browser.close();
await server.stop();

const first = looks[0]!;
const last = looks.at(-1)!;
report(
  `the screen for the wall for ${seconds} s, 10 calls a second`,
  [
    {
      what: 'browser: processor time of a core, the page alone',
      parley: ((after.renderer - before.renderer) / elapsed) * 100,
      ...{ unit: '%', digits: 1, target: { atMost: 5 } },
    },
    {
      what: 'browser: the same of all its processes',
      parley: ((after.all - before.all) / elapsed) * 100,
      unit: '%',
      digits: 1,
    },
    { what: 'tasks of more than 50 ms', parley: slow.tasks, target: { atMost: 0 } },
    { what: 'frames of more than 50 ms', parley: slow.frames, target: { atMost: 0 } },
    { what: 'the longest of them', parley: slow.longest, unit: 'ms' },
    { what: 'memory of scripts: first look, last', bare: first.heapMiB, parley: last.heapMiB, unit: 'MiB', digits: 2 },
    { what: 'memory of scripts: growth in an hour', parley: growthAnHour(looks, 'heapMiB'), unit: 'MiB', digits: 2 },
    { what: 'nodes: first look, last', bare: first.nodes, parley: last.nodes },
    { what: 'listeners: first look, last', bare: first.listeners, parley: last.listeners },
    {
      what: 'server: processor time of a core',
      parley: ((serverAfter.cpuMs - serverBefore.cpuMs) / elapsed / 1000) * 100,
      ...{ unit: '%', digits: 1 },
    },
  ],
  [`${live.ringing} calls rang at the end, ${live.talking} people talked`],
);
