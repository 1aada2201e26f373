import { featureRoutes } from '../../src/features/interface.ts';
import type { App } from '../../src/kernel/app.ts';
import type { Page, Paged } from '../../src/kernel/paging.ts';
import type { Route } from '../../src/kernel/route.ts';
import { firstAt, rowId, type World } from './many-rows.ts';

/** The lists of the interface, asked in all ways about rows that fillDatabase() made. */

export const lists = featureRoutes.filter((route) => route.method === 'GET' && Boolean(route.paged));

const caller = { role: 'admin', via: 'api_key', identity: 'api_key', subject: 'test' } as const;

/** A value for each filter of a list. */
const valuesIn = (world: World): Readonly<Record<string, unknown>> => ({
  actor_id: world.agentId,
  agent_id: world.agentId,
  campaign_id: world.campaignId,
  contact_id: rowId('contact', 3),
  endpoint_id: world.endpointId,
  event_id: rowId('event', 3),
  kb_id: rowId('org', 0),
  org_id: world.orgId,
  organization_id: world.orgId,
  orgId: world.orgId,
  organizationId: world.orgId,
  phone_number_id: world.numberId,
  tag: 'vip',
});

const paramsOf = ({ path }: Route, world: World): Record<string, string> => ({
  id: path.includes('/campaigns/') ? world.campaignId : rowId('contact', 0),
  agent_id: world.agentId,
  kb_id: rowId('org', 0),
});

/** Queries with each filter alone and with each pair of filters; with every value of a closed set. */
export function queriesOf(route: Route, world: World): Array<Record<string, unknown>> {
  const known = valuesIn(world);
  const filters = Object.entries(route.query?.properties ?? {}).map(([name, schema]) =>
    valuesOf(name, schema, known).map((value) => ({ [name]: value })),
  );
  const pairs = filters.flatMap((values, index) =>
    filters
      .slice(index + 1)
      .flatMap((others) => values.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
  );
  return [{}, ...filters.flat(), ...pairs];
}

type Schema = { enum?: readonly unknown[]; items?: Schema; format?: string; type?: string };

/** The values to try. For a parameter that may be repeated: each value alone, and the first two together. */
function valuesOf(name: string, schema: Schema, known: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (schema.items?.enum) return [...schema.items.enum.map((value) => [value]), schema.items.enum.slice(0, 2)];
  if (schema.enum) return schema.enum;
  if (name in known) return [known[name]];
  if (schema.format === 'date-time') return [new Temporal.Instant(BigInt(firstAt + 100_000) * 1_000_000n).toString()];
  if (schema.type === 'integer') return [1];
  if (schema.type === 'boolean') return [true];
  return ['lovelace'];
}

/** Reads a page of ten rows, the first one unless `more` says otherwise. */
export const readPage = (
  app: App,
  world: World,
  route: Route,
  query: Record<string, unknown>,
  more: Partial<Page> = {},
): Promise<Paged<unknown>> => {
  const page = { limit: 10, offset: 0, owner: world.orgId, ...more };
  const request = { caller: { ...caller, orgId: world.orgId }, params: paramsOf(route, world), query, page };
  return route.handle(app, request as never, undefined as never) as Promise<Paged<unknown>>;
};

/** Reads the first page, and in a list with cursors the one after its first row. */
export async function readPages(app: App, world: World, route: Route, query: Record<string, unknown>): Promise<void> {
  await readPage(app, world, route, query);
  if (route.paged !== 'cursor') return;
  const { cursors } = await readPage(app, world, route, query, { after: null });
  const [first] = cursors!.positions;
  if (first) await readPage(app, world, route, query, { after: first });
}

/**
 * Tables that stay small: there are as many models and voices as the configuration lists, an agent has at most ten URLs, and only numbers
 * whose carrier is out of reach are paused.
 */
export const smallTables = /"llm_models"|"voices"|"url" from "webhook_endpoints"|from "carrier_pauses"/;
