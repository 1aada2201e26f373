import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { liveCallsByOrganization, liveCallsOfDriver, liveCallStates } from '../../src/features/calls/store.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, rowId } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId } = await fillDatabase(app.db, 400);

test('the live calls of a carrier are found among all live calls, without reading ended ones', async (t) => {
  const { rows: live } = await sql<{ id: string }>`
    SELECT id FROM calls WHERE organization_id = ${orgId} AND status IS NULL ORDER BY id`.execute(app.db);
  const other = rowId('org', 1);
  await sql`INSERT INTO organizations (id, name, created_at) VALUES (${other}, 'Other', 0)`.execute(app.db);
  for (const [index, { id }] of live.entries()) {
    const [driver, owner] = [index % 3 === 0 ? 'sip' : 'http', index % 2 === 0 ? orgId : other];
    await sql`UPDATE calls SET driver = ${driver}, organization_id = ${owner} WHERE id = ${id}`.execute(app.db);
  }
  await sql`UPDATE calls SET driver = 'sip' WHERE status IS NOT NULL`.execute(app.db);
  await sql`DELETE FROM live_call_counts`.execute(app.db);
  await sql`INSERT INTO live_call_counts SELECT organization_id, driver, count(*) FROM calls WHERE status IS NULL GROUP BY 1, 2`.execute(
    app.db,
  );
  const ofSip = live.filter((_, index) => index % 3 === 0);
  const expected = new Map([
    [orgId, live.filter((_, index) => index % 6 === 0).length],
    [other, live.filter((_, index) => index % 6 === 3).length],
  ]);
  assert.ok(expected.get(other)! > 2);

  const statements = await recordStatements(t, app.db);
  assert.deepEqual(await liveCallsByOrganization(app.db, 'sip'), expected);
  assert.deepEqual(
    (await liveCallsOfDriver(app.db, 'sip')).map(({ id }) => id).toSorted(),
    ofSip.map(({ id }) => id),
  );
  assert.deepEqual(await liveCallStates(app.db, 'sip'), new Map([['ringing', ofSip.length]]));
  assert.deepEqual(await liveCallStates(app.db, 'nobody'), new Map());
  for (const statement of statements.splice(0)) {
    const steps = await planOf(app.db, statement);
    assert.match(steps[0]!, /USING INDEX live_call_counts_of_driver/, statement.sql);
    for (const step of steps.slice(1).filter((each) => each.includes(' calls ')))
      assert.match(step, /INDEX calls_live/, statement.sql);
  }
});
