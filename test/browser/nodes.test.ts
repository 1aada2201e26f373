import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { standBy } from '../postgres/nodes.ts';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, startDashboard } from './dashboard.ts';

const programs = postgresPrograms();

test(
  'the system page shows which node is active and which stand by, and the overview that one is missing',
  { skip: programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)' },
  async (t) => {
    const postgres = startPostgres(programs!);
    const data = mkdtempSync(join(tmpdir(), 'parley-nodes-'));
    after(() => {
      postgres.stop();
      rmSync(data, { recursive: true, force: true });
    });
    postgres.run('postgres', 'CREATE DATABASE pages');
    const url = postgres.url('pages');
    const { server, visit } = await startDashboard({
      data,
      testClock: false,
      settings: { 'store.url': url, 'node.name': 'first' },
    });
    const { page, expectQuiet } = await visit({ path: '/system' });
    const nodes = page.getByRole('table', { name: 'Nodes', exact: true });
    const rowOf = (name: string) =>
      nodes.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    await rowOf('first').getByText('Active', { exact: true }).waitFor();
    await openPage(page, `${server.url}/`);
    const incidents = page.getByRole('region', { name: 'Incidents', exact: true });
    await incidents.getByText('The nodes need a look', { exact: true }).waitFor();
    await incidents.getByText(/active: first; no other node stands by to take over/).waitFor();

    await standBy(t, url, join(data, 'secrets.json'));
    await openPage(page, `${server.url}/system`);
    await rowOf('second').getByText('Stands by', { exact: true }).waitFor();
    await rowOf('second').getByText(server.running.app.version, { exact: true }).waitFor();
    await rowOf('first').locator('time').nth(1).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 800 });
    await expectNoSidewaysScroll(page);
    await openPage(page, `${server.url}/`);
    await page.getByRole('figure', { name: 'The day by hour', exact: true }).waitFor();
    await incidents.getByText('The nodes need a look', { exact: true }).waitFor({ state: 'detached' });
    expectQuiet();
  },
);
