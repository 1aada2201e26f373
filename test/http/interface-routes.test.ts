import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { featureRoutes } from '../../src/features/interface.ts';
import { createHealth } from '../../src/http/health.ts';
import { createRequestMeter } from '../../src/http/metrics.ts';
import { describedRoutes } from '../../src/http/routes.ts';
import { createDashboard } from '../../src/http/dashboard/serve.ts';
import { loadDashboard } from '../../src/main/dashboard.ts';
import { createServerRouting } from '../../src/http/server.ts';
import type { Operation } from '../../src/kernel/route.ts';
import { runHere } from '../cli/support.ts';
import { pathFor } from '../support/route-requests.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type PrintedRow = { method: string; path: string; operation: string; role: string; access: string };

const routes = describedRoutes({ testClock: true });
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

test('parley routes prints exactly the rows of the router', async (t) => {
  const { code, out } = await runHere(t, ['routes', '--json']);
  assert.equal(code, 0);
  const printed = JSON.parse(out) as PrintedRow[];
  const health = createHealth({ refusal: () => null, probe: () => Promise.resolve() });
  const options = { routes, health, checkAnswers: true };
  const dashboard = createDashboard(server.running.app, loadDashboard);
  const routing = createServerRouting(server.running.app, options, createRequestMeter(), dashboard);
  assert.ok(printed.length > 80);
  assert.deepEqual(printed.map(nameOf).toSorted(), routing.rows.map(nameOf).toSorted());
  for (const { method, path, operation, role, access } of printed) {
    const route = routes.find((each) => nameOf(each) === nameOf({ method, path }));
    if (!route) {
      if (operation.startsWith('getDashboard')) continue;
      assert.match(
        path,
        /^\/(?:ready|livez|metrics|openapi\.json|docs|docs\/docs\.(?:css|js)|docs\/search|docs\/(?:guides|reference)\/\{page\}|docs\/pictures\/\{picture\})$/,
      );
      continue;
    }
    const credentials = {
      any: 'key, token or session',
      bearer: 'token or session',
      session: 'session',
      public: route.verifySignature ? 'signature' : 'none',
    };
    const expectedRole = route.access === 'public' ? 'public' : route.role;
    assert.deepEqual([operation, role, access], [route.operationId, expectedRole, credentials[route.access]], path);
  }
});

test('parley routes prints the same rows as aligned columns', async (t) => {
  const [table, json] = [await runHere(t, ['routes']), await runHere(t, ['routes', '--json'])];
  const [header, ...lines] = table.out.trimEnd().split('\n');
  const starts = ['METHOD', 'PATH', 'OPERATION', 'ROLE', 'ACCESS'].map((title) => header!.indexOf(title));
  assert.ok(starts.every((start, index) => start > (starts[index - 1] ?? -1)));
  const cells = lines.map((line) => starts.map((start, index) => line.slice(start, starts[index + 1]).trimEnd()));
  assert.deepEqual(
    cells,
    (JSON.parse(json.out) as PrintedRow[]).map((row) => Object.values(row)),
  );
});

test('every printed endpoint is served', async (t) => {
  const printed = JSON.parse((await runHere(t, ['routes', '--json'])).out) as PrintedRow[];
  for (const { method, path } of printed) {
    const route = routes.find((each) => nameOf(each) === nameOf({ method, path }));
    const page = path.includes('/guides/') ? 'calling' : 'contacts';
    const plain = path.replace('{page}', page).replace('{picture}', 'week.svg');
    const { status, text } = await server.request(method, `/${route ? pathFor(route) : plain}`, { key: null });
    assert.notEqual(status, 405, `${method} ${path}`);
    assert.doesNotMatch(text, /There is nothing at/, `${method} ${path}`);
  }
});

test('every operation that a feature exports is in the table, under its own name', async () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = globSync('src/features/**/*routes.ts', { cwd: root });
  assert.ok(files.length >= 15, `only ${files.length} files were found`);
  const inTable = new Set(featureRoutes.map(({ operationId }) => operationId));
  const exported = new Set<string>();
  for (const file of files) {
    const module = (await import(join(root, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      // A carrier driver's operation depends on its settings, so the driver exports a function that creates it.
      if (typeof value === 'function' && file.includes('carriers')) exported.add(name);
      if (!isOperation(value)) continue;
      assert.equal(value.operationId, name, file);
      exported.add(name);
    }
  }
  assert.deepEqual([...exported].toSorted(), [...inTable].toSorted());
});

const isOperation = (value: unknown): value is Operation =>
  value !== null && typeof value === 'object' && 'operationId' in value && 'handle' in value;

test('the placeholders of every path are the fields of its params schema', () => {
  let placeholders = 0;
  for (const route of routes) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    assert.deepEqual(inPath.toSorted(), Object.keys(route.params?.properties ?? {}).toSorted(), nameOf(route));
    placeholders += inPath.length;
  }
  assert.ok(placeholders >= 35, `only ${placeholders} placeholders were seen`);
});
