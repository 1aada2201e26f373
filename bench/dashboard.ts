/**
 * Measures the cost of the dashboard in a browser: bytes and requests of pages, how soon and how steadily they appear, and a campaign's
 * page while 10 calls a second end in a campaign of 100,000 contacts, against the same page while nothing happens. At last, what fifty open
 * pages of a running campaign cost the server, live and by polling.
 *
 *   node bench/dashboard.ts [--quick]
 */
import { existsSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { sql } from 'kysely';
import { installation, transact } from '../src/db/transaction.ts';
import { createApiKey } from '../src/features/organizations/service.ts';
import { createUser, passwordHashOf } from '../src/features/organizations/people/service.ts';
import { fillDatabase } from '../test/support/many-rows.ts';
import { fiftyPages } from './dashboard/fifty-pages.ts';
import { progress, quick, report, type Row } from './support/report.ts';
import { startServer } from './support/server.ts';

const contacts = quick ? 10_000 : 100_000;
const watchedSec = quick ? 5 : 20;
const credentials = { email: 'bench@example.com', password: 'correct horse battery staple' };

progress(`writes 10,000 rows of each kind and imports ${contacts.toLocaleString('en')} contacts`);
const server = await startServer(
  { 'http.rate_limit.per_second': '0' },
  { ephemeral: true, testClock: Date.parse('2026-03-02T09:00:00Z') },
);
const { app, url } = server;
const world = await fillDatabase(app.db, 10_000);
const passwordHash = await passwordHashOf(credentials.password);
const key = await transact(app.db, installation, async (tx) => {
  await createUser(app, tx, world.orgId, { email: credentials.email, role: 'admin', passwordHash });
  await sql`UPDATE phone_numbers SET max_concurrent = 1000, max_cps = 10 WHERE id = ${world.numberId}`.execute(tx);
  await sql`UPDATE campaigns SET max_concurrent = 1000, max_cps = 10, retry_attempts = 5 WHERE id = ${world.campaignId}`.execute(
    tx,
  );
  return (await createApiKey(app, tx, world.orgId, { name: 'bench', role: 'admin' })).apiKey;
});

async function request(method: string, path: string, body: object | string): Promise<{ id: string }> {
  const isFile = typeof body === 'string';
  const headers = { 'content-type': isFile ? 'text/csv' : 'application/json', 'x-api-key': key };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: isFile ? body : JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { id: string } }).data;
}

const settings = { name: 'Bench', agentId: world.agentId, phoneNumberId: world.numberId, maxCps: 10 };
const { id: campaignId } = await request('POST', '/campaigns/', { ...settings, schedule: { maxConcurrent: 1000 } });
const phones = Array.from({ length: contacts }, (_, at) => `+4931${10_000_000 + at}`);
await request('POST', `/campaigns/${campaignId}/contacts/import`, `phone\n${phones.join('\n')}\n`);

const executablePath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium'].find((path) => existsSync(path));
if (executablePath === undefined) throw new Error('Chromium is needed: install it, or name one in CHROMIUM.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Watches what the page's own measurements say, from its first script on. */
const observe = `
  window.seen = { lcp: 0, shift: 0, longest: 0, frames: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch('longtask', (entry) => { seen.longest = Math.max(seen.longest, entry.duration); });
  const frame = () => { seen.frames++; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
`;

type Seen = { lcp: number; shift: number; longest: number; frames: number };
type Measured = Seen & { bytes: number; requests: number };

const shown = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: '…' }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
};

/** Opens a page and counts what is sent for it. */
async function measure(context: BrowserContext, path: string): Promise<Measured> {
  progress(path);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  await devtools.send('Network.enable');
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += encodedDataLength > 0 ? 1 : 0;
  });
  await page.goto(url + path);
  await shown(page);
  await page.waitForTimeout(500); // what is loaded afterwards counts, too
  const seen = await page.evaluate<Seen>('seen');
  await page.close();
  return { ...seen, bytes, requests };
}

/** Watches an open page for some seconds; `each` is done once a second. */
async function watch(page: Page, each: () => Promise<void>): Promise<Seen> {
  await page.evaluate('Object.assign(seen, { shift: 0, longest: 0, frames: 0 })');
  for (let second = 0; second < watchedSec; second++) await Promise.all([each(), page.waitForTimeout(1000)]);
  return page.evaluate<Seen>('seen');
}

const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
await context.addInitScript(observe);
const kilobytes = ({ bytes }: Measured): number => bytes / 1000;
const rowsOf = (name: string, measured: Measured, most: { kb?: number; requests?: number; lcp?: number }): Row[] => [
  {
    what: `${name}: sent`,
    parley: kilobytes(measured),
    unit: 'KB',
    digits: 1,
    ...(most.kb ? { target: { atMost: most.kb } } : {}),
  },
  {
    what: `${name}: requests`,
    parley: measured.requests,
    ...(most.requests ? { target: { atMost: most.requests } } : {}),
  },
  {
    what: `${name}: largest paint`,
    parley: measured.lcp,
    unit: 'ms',
    ...(most.lcp ? { target: { atMost: most.lcp } } : {}),
  },
  { what: `${name}: layout shift`, parley: measured.shift, digits: 3, target: { atMost: 0.02 } },
];

const rows = rowsOf('/login, empty cache', await measure(context, '/login'), { kb: 60, requests: 8 });
const page = await context.newPage();
await page.goto(`${url}/login`);
await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(credentials.email);
await page.getByLabel('Password', { exact: true }).fill(credentials.password);
await page.getByRole('button', { name: 'Log in', exact: true }).click();
await page.waitForURL(`${url}/`);
await shown(page);
for (const path of ['/', '/campaigns', '/calls', '/contacts', '/deliveries', '/agents', '/numbers', '/audit']) {
  rows.push(...rowsOf(path, await measure(context, path), path === '/campaigns' ? { lcp: 1000 } : {}));
}
const campaign = `/campaigns/${campaignId}`;
rows.push(...rowsOf('/campaigns/{id}', await measure(context, campaign), {}));

progress('a campaign while calls end');
await page.goto(url + campaign);
await shown(page);
const idle = await watch(page, () => Promise.resolve());
await request('PATCH', `${campaign}/`, { status: 'active' });
await request('POST', '/test-clock/advance', { ms: 120_000 });
const countEnded = async (): Promise<number> => {
  const ended = sql<{
    n: number;
  }>`SELECT count(*) AS n FROM calls WHERE state = 'ended' AND campaign_id = ${campaignId}`;
  return (await ended.execute(app.db)).rows[0]!.n;
};
const endedBefore = await countEnded();
const busy = await watch(page, async () => void (await request('POST', '/test-clock/advance', { ms: 1000 })));
const endedPerSec = ((await countEnded()) - endedBefore) / watchedSec;
rows.push(
  { what: 'campaign page, live: calls that ended', parley: endedPerSec, unit: '/s', digits: 1, target: { atLeast: 5 } },
  { what: 'campaign page, idle: longest task', parley: idle.longest, unit: 'ms' },
  { what: 'campaign page, live: longest task', parley: busy.longest, unit: 'ms' },
  {
    what: 'campaign page, live (bare: idle): frames',
    bare: idle.frames / watchedSec,
    parley: busy.frames / watchedSec,
    unit: '/s',
  },
  { what: 'campaign page, live: layout shift', parley: busy.shift, digits: 3 },
);
await browser.close();
await server.finish();
report(
  'Dashboard in a browser',
  [...rows, ...(await fiftyPages())],
  [
    `${contacts.toLocaleString('en')} contacts; pages after /login with a filled cache; ${watchedSec} s watched; the bench and the server share the machine`,
  ],
);
