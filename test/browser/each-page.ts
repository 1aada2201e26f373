import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, type startDashboard, type Visit, watchRequests } from './dashboard.ts';
import { withTabs } from './fits.ts';
import { pagesOf, type World } from './world.ts';

type Dashboard = Awaited<ReturnType<typeof startDashboard>>;

/** Within `describe`: a test for each page and tab that looks at it once it has loaded, in one visit. */
export function testEachPage({ server, visit }: Dashboard, world: World, look: (page: Page) => Promise<void>): void {
  let visited: Visit;
  let settled: () => Promise<void>;
  before(async () => {
    visited = await visit({ path: '/account' });
    settled = watchRequests(visited.page);
  });
  for (const path of [...pagesOf(world), '/analytics'].flatMap(withTabs)) {
    test(path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}'), async () => {
      await openPage(visited.page, server.url + path);
      await settled();
      await look(visited.page);
    });
  }
}
