import { type RawBuilder, sql } from 'kysely';

/**
 * The new `pace_at` of a row whose `max_cps` is changed by the same UPDATE. If the limit is lowered, the next call starts a full second
 * after the last one: calls of that second followed the higher limit, and a further call could exceed the lower one.
 */
export const paceAtUnder = (maxCps: number): RawBuilder<number> =>
  sql`CASE WHEN ${maxCps} < max_cps THEN pace_at + 1000 - 1000.0 / max_cps ELSE pace_at END`;
