/**
 * Measures the first page of every list, with each filter, with searches, and `why` and `plan`: 1,000,000 rows of each kind against 1,000.
 *
 *   npm run bench:lists [-- --quick] [-- --json]
 *
 * One process has two servers, and requests alternate between them. `--quick`: 100,000 rows. The last figure is the number of statements
 * that held the main thread for more than 10 ms, from `/metrics`.
 */
import assert from 'node:assert/strict';
import { installation, transact } from '../src/db/transaction.ts';
import { indexPending } from '../src/features/contacts/search.ts';
import { featureRoutes } from '../src/features/interface.ts';
import { createApiKey } from '../src/features/organizations/service.ts';
import type { Route } from '../src/kernel/route.ts';
import { fillDatabase, rowId, type World } from '../test/support/many-rows.ts';
import { median, quick, report, type Row } from './support/report.ts';
import { longStatements } from './support/long-statements.ts';
import { type Server, startServer } from './support/server.ts';

const largeRows = quick ? 100_000 : 1_000_000;
const rounds = quick ? 7 : 25;
const maxRatio = 2;

type Side = Server & { world: World; headers: Record<string, string> };

async function startSide(rows: number): Promise<Side> {
  const server = await startServer({ 'http.rate_limit.per_second': '0' });
  const world = await fillDatabase(server.app.db, rows);
  const { apiKey } = await transact(server.app.db, installation, (tx) =>
    createApiKey(server.app, tx, world.orgId, { name: 'Bench', role: 'admin' }),
  );
  await indexPending(server.app);
  return { ...server, world, headers: { 'x-api-key': apiKey } };
}

/** `isLinear`: the request reads every row, on the background thread, so no ratio is required of it. */
type Request = { what: string; path: (world: World) => string; isLinear?: boolean };

const paged = featureRoutes.filter((route) => route.method === 'GET' && Boolean(route.paged));

const filterValues: Readonly<Record<string, (world: World) => string>> = {
  agent_id: ({ agentId }) => agentId,
  campaign_id: ({ campaignId }) => campaignId,
  contact_id: () => rowId('contact', 3),
  endpoint_id: ({ endpointId }) => endpointId,
  event_id: () => rowId('event', 3),
  kb_id: () => rowId('org', 0),
};

const inPath = ({ path }: Route, world: World): string =>
  path
    .replace('{kb_id}', rowId('org', 0))
    .replace('{id}', path.includes('/campaigns/') ? world.campaignId : rowId('contact', 0));

/** The parameter `kb_id` for the list of documents, which requires it. */
const required = ({ path }: Route): string => (path.includes('/rag/documents') ? `kb_id=${rowId('org', 0)}` : '');

/** The list alone, and with each value of each filter that is a closed set or an id. */
function requestsOf(route: Route): Request[] {
  const requestWith = (what: string, query: (world: World) => string): Request => ({
    what: `${route.operationId} ${what}`.trim(),
    path: (world) => `${inPath(route, world)}?${[required(route), query(world)].filter(Boolean).join('&')}`,
  });
  const filters = Object.entries(route.query?.properties ?? {}).flatMap(([name, schema]) => {
    const { enum: one, items } = schema as { enum?: readonly string[]; items?: { enum?: readonly string[] } };
    const values = one ?? items?.enum;
    if (values) return values.map((value) => requestWith(`${name}=${value}`, () => `${name}=${value}`));
    const valueOf = filterValues[name];
    return valueOf && name !== 'kb_id' ? [requestWith(name, (world) => `${name}=${valueOf(world)}`)] : [];
  });
  return [requestWith('', () => ''), ...filters];
}

const search = (what: string, q: string, isLinear = false): Request => ({
  what: `search of contacts: ${what}`,
  path: () => `/api/v1/contacts?q=${encodeURIComponent(q)}`,
  isLinear,
});

const searchInCampaign = (what: string, q: string, isLinear = false): Request => ({
  what: `search of campaign contacts: ${what}`,
  path: ({ campaignId }) => `/api/v1/campaigns/${campaignId}/contacts?q=${encodeURIComponent(q)}`,
  isLinear,
});

const requests: readonly Request[] = [
  ...paged.flatMap(requestsOf),
  search('one name', 'ada 777 lovelace'),
  search('a phone', '+4930100007'),
  search('an e-mail', 'ada999@example.com'),
  search('nobody', 'grace hopper'),
  search('a word that all have', 'lovelace', true),
  search('two characters', 'lo', true),
  searchInCampaign('one name', 'ada 777 lovelace'),
  searchInCampaign('a phone', '+4930100007'),
  searchInCampaign('nobody', 'grace hopper'),
  searchInCampaign('a word that all have', 'lovelace', true),
  {
    what: 'why',
    path: ({ campaignId }) => `/api/v1/campaigns/${campaignId}/contacts/${rowId('contact', 900)}/why`,
  },
  { what: 'plan', path: ({ campaignId }) => `/api/v1/campaigns/${campaignId}/plan`, isLinear: true },
];

async function timeOf({ url, headers, world }: Side, { path, what }: Request): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url + path(world), { headers });
  const text = await answer.text();
  const ms = performance.now() - startedAt;
  assert.equal(answer.status, 200, `${what}: ${path(world)}: ${text.slice(0, 300)}`);
  return ms;
}

async function measure(small: Side, large: Side, request: Request): Promise<Row> {
  const times = { small: [] as number[], large: [] as number[] };
  await Promise.all([timeOf(small, request), timeOf(large, request)]); // warm-up
  for (let round = 0; round < rounds; round += 1) {
    times.small.push(await timeOf(small, request));
    times.large.push(await timeOf(large, request));
  }
  const spread = [Math.min(...times.large), Math.max(...times.large)] as const;
  const row = {
    what: request.what,
    bare: median(times.small),
    parley: median(times.large),
    unit: 'ms',
    digits: 2,
    spread,
  };
  return request.isLinear === true ? row : { ...row, target: { atMost: maxRatio } };
}

const small = await startSide(1000);
const large = await startSide(largeRows);
const before = await longStatements(large);
const rows: Row[] = [];
for (const request of requests) rows.push(await measure(small, large, request));
const after = await longStatements(large);
const long = [...after]
  .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  .filter(([, n]) => n > 0);
await Promise.all([small.finish(), large.finish()]);
const parley = long.reduce((sum, [, count]) => sum + count, 0);
report(
  `p50 of first pages: ${largeRows.toLocaleString('en')} rows against 1,000`,
  [...rows, { what: 'statements over 10 ms on the main thread', parley, target: { atMost: 0 } }],
  long.map(([name, count]) => `${name}: ${count} statements took more than 10 ms`),
);
