import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact, transactTogether, type Tx, withScope } from '../../src/db/transaction.ts';
import { askForLine, lookAgainMs } from '../../src/features/calls/carrier-lines.ts';
import { setCarriers } from '../../src/features/calls/carriers/placing.ts';
import { createTestApp } from '../support/app.ts';

/** Two organizations share the two lines of a carrier. */

const { app, clock, close } = await createTestApp();
after(() => close());

const carrier = { maxCalls: { calls: 2, setting: 'sip.max_calls' } };
setCarriers(app, { carrierOf: () => carrier } as unknown as Parameters<typeof setCarriers>[1]);

const ask = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await askForLine(app, tx, { orgId, carrier: 'sip' })) === undefined;
const askAlone = (orgId: string): Promise<boolean> => transact(app.db, orgId, (tx) => ask(tx, orgId));

async function setLive(calls: Readonly<Record<string, number>>): Promise<void> {
  await sql`DELETE FROM live_call_counts`.execute(app.db);
  for (const [orgId, count] of Object.entries(calls))
    await sql`INSERT INTO live_call_counts (organization_id, driver, calls) VALUES (${orgId}, 'sip', ${count})`.execute(
      app.db,
    );
}

await sql`INSERT INTO organizations (id, name, created_at) VALUES ('busy', 'Busy', 0), ('new', 'New', 0)`.execute(
  app.db,
);

/** The organization `new` finds no line; then `busy` has one call less. */
async function aLineIsKept(): Promise<void> {
  clock.set(clock.now() + 10 * lookAgainMs);
  await setLive({ busy: 2 });
  assert.equal(await askAlone('new'), false);
  await setLive({ busy: 1 });
  assert.equal(await askAlone('busy'), false);
}

test('a line stays kept where the transaction that took it has failed', async () => {
  await aLineIsKept();
  const failing = transact(app.db, 'new', async (tx) => {
    assert.equal(await ask(tx, 'new'), true);
    throw new Error('no call');
  });
  await assert.rejects(failing, /no call/);
  assert.equal(await askAlone('busy'), false);
  assert.equal(await askAlone('new'), true);
});

test('a line is kept no longer once it was taken', async () => {
  await aLineIsKept();
  assert.equal(await askAlone('new'), true);
  assert.equal(await askAlone('busy'), true);
});

test('a line that was taken is not kept for the rest of the transaction', async () => {
  await aLineIsKept();
  await transactTogether(app.db, ['new', 'busy'], async (tx) => {
    assert.equal(await withScope(tx, 'new', () => ask(tx, 'new')), true);
    assert.equal(await withScope(tx, 'busy', () => ask(tx, 'busy')), true);
  });
});

test('a line is kept for an organization that found none after it had got one, also where that failed', async () => {
  await aLineIsKept();
  const failing = transact(app.db, 'new', async (tx) => {
    assert.equal(await ask(tx, 'new'), true);
    await sql`UPDATE live_call_counts SET calls = 2`.execute(tx);
    assert.equal(await ask(tx, 'new'), false);
    throw new Error('no call');
  });
  await assert.rejects(failing, /no call/);
  assert.equal(await askAlone('busy'), false);
});
