import { type RawBuilder, sql } from 'kysely';

/**
 * The new `pace_at` of a row whose `max_cps` is changed by the same UPDATE. After a lower limit nothing starts within a second of the
 * last start: the starts before it followed the higher limit, and would make the second exceed the lower one.
 */
export const paceAtUnder = (maxCps: number): RawBuilder<number> =>
  sql`CASE WHEN ${maxCps} < max_cps THEN pace_at + 1000 - 1000.0 / max_cps ELSE pace_at END`;
