import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { capsAgainst, capsOn } from '../../src/features/calls/contact-caps.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, 20);

const hour = 3_600_000;
const phone = '+4930123456';
const now = Temporal.Instant.from('2026-03-08T22:30:00Z').epochMilliseconds; // Sunday in London, late on Sunday in Berlin, Monday in Tokyo

/** No call waits or lasts for longer. */
const maxLiveHours = 30;
/** A call that was made so many hours ago. `waits`: the carrier does not have it yet. `isOthers`: it goes to another number. */
const calls = fc.array(
  fc
    .record({
      hoursAgo: fc.oneof(fc.nat({ max: maxLiveHours }), fc.nat({ max: 24 * 10 })),
      kind: fc.constantFrom(
        ...([
          'ended',
          'ended',
          'ended',
          'live',
          'waits',
          'never handed over',
          'incoming',
          'of another number',
        ] as const),
      ),
    })
    .filter(({ hoursAgo, kind }) => hoursAgo <= maxLiveHours || (kind !== 'live' && kind !== 'waits')),
  { maxLength: 12 },
);
type Given = typeof calls extends fc.Arbitrary<infer T> ? T : never;

async function store(given: Given): Promise<void> {
  await sql`DELETE FROM calls WHERE id LIKE 'caps-%'`.execute(app.db);
  for (const [index, { hoursAgo, kind }] of given.entries()) {
    const at = now - hoursAgo * hour;
    const isOver = kind !== 'live' && kind !== 'waits';
    await sql`INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, attempt, direction, driver, from_phone, to_phone,
        max_duration_ms, state, status, created_at, handed_over_at, started_at, ended_at)
      SELECT ${`caps-${index}`}, organization_id, agent_id, 'Agent', phone_number_id, 1, ${kind === 'incoming' ? 'inbound' : 'outbound'}, 'simulated',
        '', ${kind === 'of another number' ? '+4930' : phone}, 0, ${isOver ? 'ended' : 'dialing'}, ${isOver ? 'completed' : null}, ${at - 1000},
        ${kind === 'waits' || kind === 'never handed over' ? null : at}, ${at}, ${isOver ? at + 60_000 : null}
      FROM campaigns WHERE id = ${campaignId}`.execute(app.db);
  }
}

test('counting in the database finds the same limits as counting the calls', async () => {
  const limit = (max: number) => fc.option(fc.integer({ min: 1, max }));
  const limits = fc
    .record({ maxPerDay: limit(3), maxPerWeek: limit(5), minGapMin: limit(3000) })
    .filter((drawn) => Object.values(drawn).some((value) => value !== null));
  const zone = fc.constantFrom('Europe/London', 'Europe/Berlin', 'Asia/Tokyo');
  await fc.assert(
    fc.asyncProperty(calls, limits, zone, fc.boolean(), async (given, drawn, timezone, handedOver) => {
      await store(given);
      const counted = given
        .filter(({ kind }) => kind === 'ended' || kind === 'live' || (kind === 'waits' && !handedOver))
        .map(({ hoursAgo, kind }) => {
          const at = now - hoursAgo * hour;
          return { at: kind === 'waits' ? now : at, endedAt: kind === 'ended' ? at + 60_000 : null };
        });
      assert.deepEqual(
        await capsOn(app.db, phone, timezone, { orgId, limits: drawn, now, handedOver }),
        capsAgainst(drawn, counted, timezone, now),
      );
    }),
  );
});

test('another organization has its own count', async () => {
  await store([{ hoursAgo: 1, kind: 'ended' }]);
  const limits = { maxPerDay: 1, maxPerWeek: null, minGapMin: null };
  const codes = async (organization: string) =>
    (await capsOn(app.db, phone, 'UTC', { orgId: organization, limits, now })).map(({ code }) => code);
  assert.deepEqual([await codes(orgId), await codes('another')], [['capped_day'], []]);
});
