import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  type QueryCompiler,
  type RawBuilder,
  SqliteIntrospector,
  sql,
} from 'kysely';
import { PostgresCompiler } from '../../../src/db/postgres/compiler.ts';
import * as helpers from '../../../src/db/sql.ts';
import { StablePlanCompiler } from '../../../src/db/sqlite/compiler.ts';

const compiling = (compiler: QueryCompiler): Kysely<unknown> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });
const dialects = { sqlite: compiling(new StablePlanCompiler()), postgres: compiling(new PostgresCompiler()) };

const textOf = (fragment: RawBuilder<unknown>, dialect: keyof typeof dialects): string =>
  fragment.compile(dialects[dialect]).sql.replaceAll(/\s+/g, ' ');

type Row = { fragment: RawBuilder<unknown>; sqlite: string; postgres: string };

/** Every helper of sql.ts with what it is in each dialect. */
const rows: Record<keyof typeof helpers, Row> = {
  listOf: {
    fragment: helpers.listOf([1, 2], 'integer'),
    sqlite: '(SELECT value FROM json_each(+?))',
    postgres: '(ARRAY(SELECT (value)::bigint FROM json_array_elements_text($1::json)))',
  },
  rowsOf: {
    fragment: helpers.rowsOf(['a', 'b']),
    sqlite: 'json_each(+?)',
    postgres: '(SELECT unnest(ARRAY(SELECT value FROM json_array_elements_text($1::json))) AS value)',
  },
  recordsOf: {
    fragment: helpers.recordsOf([{ id: 'a', at: 1 }], { id: 'text', at: 'real' }),
    sqlite: '(SELECT value ->> 0 AS "id", value ->> 1 AS "at" FROM json_each(+?))',
    postgres:
      '(SELECT value ->> 0 AS "id", (value ->> 1)::double precision AS "at" FROM json_array_elements($1::json))',
  },
  pairsOf: {
    fragment: helpers.pairsOf([['a', 'b']]),
    sqlite: '(SELECT key AS position, value ->> 0 AS first, value ->> 1 AS second FROM json_each(+?))',
    postgres:
      '(SELECT position - 1 AS position, pair ->> 0 AS first, pair ->> 1 AS second FROM json_array_elements($1::json) WITH ORDINALITY AS given(pair, position))',
  },
  lockedRows: { fragment: helpers.lockedRows, sqlite: '', postgres: 'FOR UPDATE' },
  joinInOrder: { fragment: helpers.joinInOrder, sqlite: 'CROSS JOIN', postgres: 'JOIN' },
  joinFirstRows: {
    fragment: helpers.joinFirstRows('outbox', 'o', sql`WHERE lane = wanted.lane ORDER BY id LIMIT 1`),
    sqlite:
      'CROSS JOIN "outbox" "o" ON "o"."id" IN (SELECT id FROM "outbox" WHERE lane = wanted.lane ORDER BY id LIMIT 1)',
    postgres: 'CROSS JOIN LATERAL (SELECT * FROM "outbox" WHERE lane = wanted.lane ORDER BY id LIMIT 1) AS "o"',
  },
  fromIndex: {
    fragment: helpers.fromIndex('calls', 'calls_live'),
    sqlite: '"calls" INDEXED BY "calls_live"',
    postgres: '"calls"',
  },
  firstRowsOf: {
    fragment: helpers.firstRowsOf(
      ['a', 'b'].map((table) => ({ select: sql`SELECT id FROM ${sql.table(table)}`, order: sql`id` })),
      sql`id`,
      { limit: 10, offset: 5 },
    ),
    sqlite: 'SELECT id FROM "a" UNION ALL SELECT id FROM "b" ORDER BY id LIMIT +? OFFSET +?',
    postgres:
      '(SELECT id FROM "a" ORDER BY id LIMIT $1) UNION ALL (SELECT id FROM "b" ORDER BY id LIMIT $2) ORDER BY id LIMIT $3 OFFSET $4',
  },
  withoutIndex: { fragment: helpers.withoutIndex('d.status'), sqlite: '+"d"."status"', postgres: '"d"."status"' },
  least: { fragment: helpers.least(sql.ref('a'), 1), sqlite: 'min("a", +?)', postgres: 'least("a", $1)' },
  greatest: { fragment: helpers.greatest(1, sql.ref('a')), sqlite: 'max(+?, "a")', postgres: 'greatest($1, "a")' },
  contains: {
    fragment: helpers.contains('name', 'x'),
    sqlite: 'instr("name", +?) > 0',
    postgres: 'strpos("name", $1) > 0',
  },
  containsFolded: {
    fragment: helpers.containsFolded(['a', 'b'], 'x'),
    sqlite: 'instr(folded(concat_ws(char(10), "a", "b")), +?) > 0',
    postgres: 'strpos(folded(concat_ws(chr(10), "a", "b")), $1) > 0',
  },
  jsonListHas: {
    fragment: helpers.jsonListHas('tags', 'x'),
    sqlite: 'instr("tags", +?) > 0 AND EXISTS (SELECT 1 FROM json_each("tags") WHERE value = +?)',
    postgres:
      'strpos("tags", $1) > 0 AND EXISTS (SELECT 1 FROM json_array_elements_text("tags"::json) WHERE value = $2)',
  },
  jsonText: { fragment: helpers.jsonText('a', 'k'), sqlite: `("a" ->> 'k')`, postgres: `("a"::json ->> 'k')` },
  jsonFlag: {
    fragment: helpers.jsonFlag('a', 'k'),
    sqlite: `("a" ->> 'k')`,
    postgres: `("a"::json ->> 'k')::boolean::integer`,
  },
  jsonListOf: {
    fragment: helpers.jsonListOf('id'),
    sqlite: 'json_group_array("id")',
    postgres: `coalesce(json_agg("id")::text, '[]')`,
  },
  bytesOf: {
    fragment: helpers.bytesOf('piece'),
    sqlite: `CAST(group_concat("piece", '') AS BLOB)`,
    postgres: `string_agg("piece", ''::bytea)`,
  },
  entriesOf: {
    fragment: helpers.entriesOf('c.metadata'),
    sqlite: 'json_each("c"."metadata")',
    postgres:
      'LATERAL (SELECT found.key, found.id FROM json_each("c"."metadata"::json) WITH ORDINALITY AS found(key, value, id))',
  },
};

test('every helper is written as each dialect understands it', () => {
  assert.deepEqual(Object.keys(rows).toSorted(), Object.keys(helpers).toSorted());
  for (const [name, { fragment, sqlite, postgres }] of Object.entries(rows)) {
    assert.equal(textOf(fragment, 'sqlite'), sqlite, name);
    assert.equal(textOf(fragment, 'postgres'), postgres, name);
  }
});

test('a fragment inside a template or a query of the builder is written in the dialect that compiles it', () => {
  const nested = sql`SELECT 1 WHERE ${helpers.least(helpers.greatest(1, 2), 3)} = ${4}`;
  assert.equal(textOf(nested, 'sqlite'), 'SELECT 1 WHERE min(max(+?, +?), +?) = +?');
  assert.equal(textOf(nested, 'postgres'), 'SELECT 1 WHERE least(greatest($1, $2), $3) = $4');
  const inBuilder = (db: Kysely<unknown>): string =>
    (db as Kysely<{ t: { id: string } }>)
      .selectFrom('t')
      .select('id')
      .where('id', 'in', helpers.listOf(['a']))
      .compile().sql;
  assert.equal(inBuilder(dialects.sqlite), 'select "id" from "t" where "id" in (SELECT value FROM json_each(+?))');
  assert.equal(
    inBuilder(dialects.postgres),
    'select "id" from "t" where "id" = ANY (ARRAY(SELECT value FROM json_array_elements_text($1::json)))',
  );
  const notIn = sql`SELECT 1 WHERE ${sql.ref('id')} NOT IN ${helpers.listOf(['a'])}`;
  assert.equal(textOf(notIn, 'sqlite'), 'SELECT 1 WHERE "id" NOT IN (SELECT value FROM json_each(+?))');
  assert.equal(
    textOf(notIn, 'postgres'),
    'SELECT 1 WHERE "id" <> ALL (ARRAY(SELECT value FROM json_array_elements_text($1::json)))',
  );
});
