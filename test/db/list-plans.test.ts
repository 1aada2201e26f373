import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { listCampaignContacts } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { featureRoutes } from '../../src/features/interface.ts';
import type { Page } from '../../src/kernel/paging.ts';
import type { Route } from '../../src/kernel/route.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt, rowId } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

/** Enough rows of each kind that SQLite prefers an index to reading a whole table. */
const rows = 400;

const { app, close } = await createTestApp();
after(() => close());
const world = await fillDatabase(app.db, rows);

const lists = featureRoutes.filter((route) => route.method === 'GET' && Boolean(route.paged));
const caller = { orgId: world.orgId, role: 'admin', via: 'api_key', identity: 'api_key', subject: 'test' } as const;

/** A value for each filter of a list. */
const valueOf: Readonly<Record<string, unknown>> = {
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
};

const paramsOf = ({ path }: Route): Record<string, string> => ({
  id: path.includes('/campaigns/') ? world.campaignId : rowId('contact', 0),
  agent_id: world.agentId,
  kb_id: rowId('org', 0),
});

/** Queries with each filter alone and with each pair of filters; with every value of a closed set. */
function queriesOf(route: Route): Array<Record<string, unknown>> {
  const filters = Object.entries(route.query?.properties ?? {}).map(([name, schema]) =>
    valuesOf(name, schema).map((value) => ({ [name]: value })),
  );
  const pairs = filters.flatMap((values, index) =>
    filters
      .slice(index + 1)
      .flatMap((others) => values.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
  );
  return [{}, ...filters.flat(), ...pairs];
}

type Schema = { enum?: readonly unknown[]; items?: Schema; format?: string };

/** The values to try. For a parameter that may be repeated: each value alone, and the first two together. */
function valuesOf(name: string, schema: Schema): readonly unknown[] {
  if (schema.items?.enum) return [...schema.items.enum.map((value) => [value]), schema.items.enum.slice(0, 2)];
  if (schema.enum) return schema.enum;
  if (name in valueOf) return [valueOf[name]];
  if (schema.format === 'date-time') return [new Temporal.Instant(BigInt(firstAt + 100_000) * 1_000_000n).toString()];
  return ['lovelace'];
}

for (const route of lists) {
  test(`${route.operationId} reads its rows in order from an index, whatever the filter`, async (t) => {
    const statements = await recordStatements(t, app.db);
    for (const query of queriesOf(route)) {
      const page = { limit: 10, offset: 0, owner: world.orgId };
      const pageOf = async (more: Partial<Page>) =>
        route.handle(
          app,
          { caller, params: paramsOf(route), query, page: { ...page, ...more } } as never,
          undefined as never,
        );
      await pageOf({});
      if (route.paged === 'cursor') {
        const { cursors } = await pageOf({ after: null });
        const [first] = cursors!.positions;
        if (first) await pageOf({ after: first });
      }
      for (const statement of statements.splice(0).filter((each) => !smallTables.test(each.sql))) {
        const steps = await planOf(app.db, statement);
        const faults = steps.filter(isFault);
        assert.deepEqual(faults, [], `${JSON.stringify(query)}: ${statement.sql}`);
        statements.length = 0;
      }
    }
  });
}

test('sorted campaign contacts are read from indexes that hold no others', async (t) => {
  const statements = await recordStatements(t, app.db);
  const page = { limit: 10, offset: 0, owner: world.orgId };
  const indexes = {
    next_attempt: ['pending', 'pending_zoned', 'called'],
    last_attempt: ['attempted', 'pending', 'pending_zoned', 'postponed', 'unattempted'],
  };
  for (const analyzed of [false, true]) {
    if (analyzed) await sql`ANALYZE`.execute(app.db);
    for (const [sort, wanted] of Object.entries(indexes)) {
      statements.length = 0;
      const filter = { sort: sort as keyof typeof indexes };
      await listCampaignContacts(app, world.orgId, world.campaignId, filter, page);
      const statement = statements.find((each) => each.sql.includes('UNION ALL'))!;
      const steps = await planOf(app.db, statement);
      const used = steps.flatMap((step) => / INDEX campaign_contacts_(\w+)/.exec(step)?.[1] ?? []);
      assert.deepEqual(new Set(used), new Set(wanted), `${sort}, ${analyzed}`);
    }
  }
});

test('the lists of notices and of notes count no rows', async (t) => {
  const statements = await recordStatements(t, app.db);
  const page = { limit: 10, offset: 0, owner: world.orgId };
  for (const operationId of ['listNotices', 'listContactNotes']) {
    const route = lists.find((list) => list.operationId === operationId)!;
    const answer = await route.handle(
      app,
      { caller, params: paramsOf(route), query: {}, page } as never,
      undefined as never,
    );
    assert.ok(answer.total! > 0, operationId);
  }
  assert.deepEqual(
    statements.filter((each) => /count\(/i.test(each.sql)),
    [],
  );
});

/**
 * Tables that stay small: there are as many models and voices as the configuration lists, an agent has at most ten URLs, and only numbers
 * whose carrier is out of reach are paused.
 */
const smallTables = /"llm_models"|"voices"|"url" from "webhook_endpoints"|from "carrier_pauses"/;

/** Whether a step reads a whole table or sorts. A list as a parameter and a subquery (`AS found`, a name that PostgreSQL wants) do not count as tables. */
const isFault = (step: string): boolean =>
  (step.startsWith('SCAN ') &&
    !/^SCAN (?:json_each|\(subquery|found$|CONSTANT ROW|numbers)|VIRTUAL TABLE/.test(step)) ||
  step.includes('TEMP B-TREE');
