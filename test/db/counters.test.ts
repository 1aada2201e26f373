import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { countingTriggers, recounts } from '../../src/db/sqlite/counters.generated.ts';
import { migrations } from '../../src/db/sqlite/migrations.generated.ts';

/** A new database with two organizations, and without foreign keys, so that rows need no others. */
function emptyDatabase(): Sqlite.Database {
  const database = new Sqlite(':memory:');
  for (const { sql } of migrations) database.exec(sql);
  database.exec(countingTriggers);
  database.pragma('foreign_keys = OFF');
  database.exec("INSERT INTO organizations (id, name, created_at) VALUES ('o1', '', 0), ('o2', '', 0)");
  return database;
}

const database = emptyDatabase();

/** Runs in a transaction that is undone: making a database takes longer than all that a case writes. */
function undone(run: () => void): void {
  database.exec('BEGIN');
  try {
    run();
  } finally {
    database.exec('ROLLBACK');
  }
}

const wrongNumbers = (): string[] =>
  recounts.filter(({ query }) => database.prepare(query).get() !== undefined).map(({ what }) => what);

type Row = Readonly<Record<string, string | number | null>>;
type Step = { id: number; row: Row | null };

/** Writes each row under its id, in place of the one that has it, or deletes that one. */
function write(table: string, fixed: Row, steps: readonly Step[]): void {
  for (const { id, row } of steps) {
    if (row === null) {
      database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(String(id));
      continue;
    }
    const all: Row = { ...fixed, ...row, id: String(id) };
    const columns = Object.keys(all);
    const changed = Object.keys(row).map((column) => `${column} = excluded.${column}`);
    const values = columns.map((column) => `@${column}`);
    database
      .prepare(
        `INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()}) ON CONFLICT (id) DO UPDATE SET ${changed.join()}`,
      )
      .run(all);
  }
}

const stepsOf = (row: fc.Arbitrary<Row>) =>
  fc.array(fc.record({ id: fc.nat(5), row: fc.option(row, { freq: 4 }) }), { maxLength: 30 });

test('numbers of calls follow their rows, whichever statements change organization, agent, campaign, driver, status and times', () => {
  const call = fc.record({
    organization_id: fc.constantFrom('o1', 'o2'),
    agent_id: fc.constantFrom('a1', 'a2'),
    campaign_id: fc.constantFrom(null, 'k1', 'k2'),
    driver: fc.constantFrom('simulated', 'sip'),
    status: fc.constantFrom(null, 'busy', 'completed'),
    started_at: fc.constantFrom(0, 899_999, 900_000),
    answered_at: fc.constantFrom(null, 900_000),
    ended_at: fc.constantFrom(900_000, 1_800_000),
  });
  const fixed = {
    agent_name: '',
    phone_number_id: 'n',
    attempt: 1,
    from_phone: '',
    to_phone: '',
    max_duration_ms: 1,
    state: 'ended',
    created_at: 0,
  };
  fc.assert(
    fc.property(stepsOf(call), (steps) =>
      undone(() => {
        write('calls', fixed, steps);
        assert.deepEqual(wrongNumbers(), []);
      }),
    ),
  );
});

test('numbers of contacts and of sources follow their rows, and removed ones do not count', () => {
  const contact = fc.record({ removed_at: fc.constantFrom(null, 1) });
  const source = fc.record({
    knowledge_base_id: fc.constantFrom('b1', 'b2'),
    type: fc.constantFrom('text', 'url'),
    status: fc.constantFrom('pending', 'complete'),
    removed_at: fc.constantFrom(null, 1),
  });
  fc.assert(
    fc.property(stepsOf(contact), stepsOf(source), (contacts, sources) =>
      undone(() => {
        write('contacts', { organization_id: 'o1', search: '', created_at: 0, updated_at: 0 }, contacts);
        write('knowledge_sources', { organization_id: 'o1', name: '', created_at: 0, updated_at: 0 }, sources);
        assert.deepEqual(wrongNumbers(), []);
      }),
    ),
  );
});

test('numbers of deliveries follow their rows', () => {
  const statuses = ['pending', 'retrying', 'held', 'delivered', 'exhausted', 'cancelled'];
  const isSettled = (status: string): boolean => ['delivered', 'exhausted', 'cancelled'].includes(status);
  const delivery = fc
    .tuple(fc.constantFrom(...statuses), fc.constantFrom(7, 3_599_999, 3_600_000))
    .map(([status, at]) => ({
      status,
      settled_at: isSettled(status) ? 1 : null,
      delivered_at: status === 'delivered' ? at : null,
    }));
  const fixed = { organization_id: 'o1', event_id: 'e', endpoint_id: 'p', created_at: 0 };
  fc.assert(
    fc.property(stepsOf(delivery), (steps) =>
      undone(() => {
        database.exec(`INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at)
        VALUES ('p', 'o1', 'a', '', 'delivering', 0)`);
        write('webhook_deliveries', fixed, steps);
        assert.deepEqual(wrongNumbers(), []);
      }),
    ),
  );
});

test('a delivery counts in the hour in which it was delivered last, also after its row is deleted', () => {
  const fixed = { organization_id: 'o1', event_id: 'e', endpoint_id: 'p', created_at: 0 };
  const waiting = { status: 'pending', settled_at: null, delivered_at: null };
  const deliveredAt = (at: number): Row => ({ status: 'delivered', settled_at: at, delivered_at: at });
  const hours = (): unknown =>
    database.prepare('SELECT hour, delivered FROM deliveries_by_hour ORDER BY hour').raw().all();
  undone(() => {
    const steps = [waiting, deliveredAt(3_599_999), waiting, deliveredAt(3_600_000)];
    write(
      'webhook_deliveries',
      fixed,
      steps.map((row) => ({ id: 1, row })),
    );
    write('webhook_deliveries', fixed, [
      { id: 2, row: waiting },
      { id: 2, row: deliveredAt(3_700_000) },
    ]);
    assert.deepEqual(hours(), [
      [0, 0],
      [3_600_000, 2],
    ]);
    write('webhook_deliveries', fixed, [{ id: 1, row: null }]);
    assert.deepEqual(hours(), [
      [0, 0],
      [3_600_000, 2],
    ]);
  });
});

test('a wrong number is found', () => {
  undone(() => {
    database.exec('UPDATE organization_counts SET notices = 1');
    database.exec("INSERT INTO live_call_counts VALUES ('o1', '', 2)");
    assert.deepEqual(wrongNumbers(), ['notices', 'live calls']);
  });
});
