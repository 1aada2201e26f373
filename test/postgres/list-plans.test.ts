import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type { Queryable } from '../../src/db/transaction.ts';
import { nextInCampaign } from '../../src/features/campaigns/contacts/store.ts';
import { lists, queriesOf, readPages, smallTables } from '../support/list-queries.ts';
import { fillDatabase, firstAt, type World } from '../support/many-rows.ts';
import { recordStatements, type Statement } from '../support/plans.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const programs = postgresPrograms();
const rows = 2000;
let postgres: PostgresServer | undefined;
let server: TestServer | undefined;
let world: World;
before(async () => {
  if (programs === undefined) return;
  postgres = startPostgres(programs);
  // With so few rows PostgreSQL would rather read a whole table than follow an index.
  for (const set of ['enable_seqscan = off', 'enable_bitmapscan = off', 'jit = off'])
    postgres.run('postgres', `ALTER ROLE parley SET ${set}`);
  server = await startTestServer({ settings: { 'store.url': postgres.url('postgres') }, counts: false });
  world = await fillDatabase(server.running.app.db, rows);
  await sql`ANALYZE`.execute(server.running.app.db);
});
after(async () => {
  await server?.stop();
  postgres?.stop();
});

type Step = { 'Node Type': string; 'Plan Rows': number; 'Relation Name'?: string; Plans?: Step[] };

async function planOf(db: Queryable, { sql: text, parameters }: Statement): Promise<Step> {
  const query = CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${text}`, [...parameters]);
  const { rows: explained } = await db.executeQuery<Record<string, string>>(query);
  return (JSON.parse(explained[0]!['QUERY PLAN']!) as [{ Plan: Step }])[0].Plan;
}

/** A page has ten rows, and a list at most nine parts whose first rows are sorted together. Each status has a hundred rows. */
const maxSorted = 95;

/** The steps that read a whole table, or sort more rows than the first ones of each part of a list. */
function faultsOf(step: Step): string[] {
  const { Plans: inner = [], 'Node Type': type, 'Relation Name': table } = step;
  const isWhole = type === 'Seq Scan';
  const isLarge = type.endsWith('Sort') && inner.some((each) => each['Plan Rows'] > maxSorted);
  return [...(isWhole || isLarge ? [`${type} ${table ?? inner[0]!['Plan Rows']}`] : []), ...inner.flatMap(faultsOf)];
}

const reads = /^\s*(?:select|with)/i;

/** Checks the statements that run meanwhile, each once. */
async function checked(t: TestContext, run: (check: (where: string) => Promise<void>) => Promise<void>): Promise<void> {
  const { db } = server!.running.app;
  const statements = await recordStatements(t, db);
  const seen = new Set<string>();
  await run(async (where) => {
    for (const statement of statements.splice(0)) {
      if (seen.has(statement.sql) || !reads.test(statement.sql) || smallTables.test(statement.sql)) continue;
      seen.add(statement.sql);
      assert.deepEqual(faultsOf(await planOf(db, statement)), [], `${where}: ${statement.sql}`);
    }
    statements.length = 0;
  });
  assert.ok(seen.size > 0);
}

describe('on PostgreSQL', { skip: programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)' }, () => {
  for (const route of lists.filter(({ operationId }) => operationId !== 'listModelsWithVoices')) {
    test(`${route.operationId} reads its first rows from an index, whatever the filter`, (t) =>
      checked(t, async (check) => {
        for (const query of queriesOf(route, world)) {
          await readPages(server!.running.app, world, route, query);
          await check(JSON.stringify(query));
        }
      }));
  }

  test('the dialer reads the next contact of a campaign, not all that wait', (t) =>
    checked(t, async (check) => {
      const { db } = server!.running.app;
      const { orgId, campaignId } = world;
      assert.ok(await nextInCampaign(db, { orgId, campaignId, now: firstAt, resumptions: null }));
      await check('dialer');
    }));
});
