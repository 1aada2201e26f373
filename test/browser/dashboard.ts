import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { aPassword, aPerson, type Person } from '../support/people.ts';
import type { Role } from '../../src/kernel/route.ts';
import { type Client, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { type PageOptions, startBrowser } from './browser.ts';

export type Visit = {
  page: Page;
  person: Person;
  /** Console lines, errors, failed requests and requests to other servers that were not expected. */
  problems: string[];
  /** Fails unless the page has shown nothing wrong. */
  expectQuiet(): void;
};

export type VisitOptions = PageOptions & { role?: Role; client?: Client; path?: string };

export type Dashboard = {
  server: TestServer;
  /** Opens a page in a new browser profile, logged in as a new person. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** Opens a page without a session. */
  open(path: string, options?: PageOptions): Promise<Omit<Visit, 'person'>>;
};

/** A server and a browser for a test file. */
export async function startDashboard({
  flags = [],
  ...options
}: TestServerOptions & { flags?: readonly string[] } = {}): Promise<Dashboard> {
  const server = await startTestServer(options);
  const newPage = await startBrowser({ after: () => server.stop(), flags });
  const open: Dashboard['open'] = async (path, { width = 1440, ...rest } = {}) => {
    const { page, requested, problems } = await newPage({ width, ...rest });
    await page.goto(`${server.url}${path}`);
    const expectQuiet = (): void => {
      const origins = new Set(requested.map((url) => new URL(url).origin));
      assert.deepEqual([...origins], [server.url], 'requests to other servers');
      assert.deepEqual(problems, []);
    };
    return { page, problems, expectQuiet };
  };
  return {
    server,
    open,
    async visit({ role = 'admin', client = server, path = '/account', ...rest } = {}) {
      const person = await aPerson(server, role, client);
      const visit = await open(`/login?next=${encodeURIComponent(path)}`, rest);
      await logInWith(visit.page, person);
      await visit.page.waitForURL(`${server.url}${path}`);
      await visit.page.locator('main:not(.alone)').waitFor();
      await visit.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))'); // by then it hears keys
      return { ...visit, person };
    },
  };
}

export async function logInWith(page: Page, { email }: { email: string }, password = aPassword): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Opens an address and waits until all that the page asks for at first is shown. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: '…' }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** Answers what waits until no request of the interface is under way, but for the stream of live topics; not for ever. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().includes('/api/') && !request.url().includes('/live?')) open.add(request);
  });
  const close = (request: Request): void => void open.delete(request);
  page.on('requestfinished', close).on('requestfailed', close);
  return async () => {
    for (let looks = 0; looks === 0 || (open.size > 0 && looks < 200); looks++)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    open.clear(); // what has not come by now is a stream
  };
}

type Finding = { id: string; impact: string; help: string; nodes: Array<{ html: string; failureSummary: string }> };

/** Fails on findings of axe-core that are serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source); // through the debugger, which the page's policy does not concern
  const findings = await page.evaluate<Finding[]>('axe.run().then(({ violations }) => violations)');
  const serious = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    serious.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)]),
    [],
  );
}

const shiftOf = `new Promise((resolve) => {
  let sum = 0;
  const add = (list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})`;

/** Fails if the page moved what it had shown while it loaded. */
export async function expectStable(page: Page): Promise<void> {
  const shift = await page.evaluate<number>(shiftOf);
  assert.ok(shift <= 0.02, `${page.url()} moved by ${shift}`);
}

/** Fails if the page is wider than its window, once it has been drawn in its present size: the banner is laid out anew for that. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} px too wide`);
}
