import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createCallRegistry } from '../../src/features/calls/carriers/sip/call-registry.ts';
import { callEnded } from '../../src/features/calls/events.ts';
import { findCall } from '../../src/features/calls/service.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';

/** By the id of the call: each time that its end was written, whether the called number was taken as invalid. */
const written = new Map<string, boolean[]>();
const { app, close } = await createTestApp({
  wire: ({ events }) =>
    events.on(callEnded, (_app, _tx, { call, invalidNumber }) => {
      const times = written.get(call.id) ?? [];
      written.set(call.id, [...times, invalidNumber]);
      return times.length === 0 ? Promise.reject(new Error('out of luck')) : Promise.resolve();
    }),
});
after(() => close());
await fillDatabase(app.db, 400);
await sql`UPDATE phone_numbers SET in_flight = 100`.execute(app.db);
await sql`UPDATE organizations SET in_flight = 100`.execute(app.db);

test('a call whose end had to be written twice counts once among the numbers that do not exist', async () => {
  const { rows } = await sql<{ id: string }>`SELECT id FROM calls WHERE status IS NULL ORDER BY id LIMIT 6`.execute(
    app.db,
  );
  const registry = createCallRegistry(app);
  const end = {
    status: 'failed' as const,
    disconnectReason: null,
    errorMessage: 'SIP 404 Not Found',
    invalidNumber: true,
    unwanted: false,
    talkedMs: null,
  };
  for (const { id } of rows) {
    void registry.add((await findCall(app.db, id))!);
    registry.record(id, { type: 'ended', end, sip: null }, null);
    await registry.settled();
  }
  const believed = [true, true];
  assert.deepEqual([...written.values()], [...Array.from({ length: 5 }, () => believed), [false, false]]);
});
