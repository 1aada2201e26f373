import { sql } from 'kysely';
import type { Examination, ExaminationScope } from '../open-database.ts';
import type { PostgresSettings } from './address.ts';
import { readSnapshot } from './snapshot.ts';

/** Checks rules between rows, as they are at one moment, while others write. Pages, indexes and references are the server's to check. */
export async function examine(
  settings: PostgresSettings,
  { checks = [], maxRows }: ExaminationScope = {},
): Promise<Examination> {
  if (maxRows !== undefined)
    return {
      damage: [],
      sound: 'the database is large, so kept numbers were not checked; parley doctor --full checks them',
    };
  const damage = await readSnapshot(settings, async ({ db }) => {
    const faults: string[] = [];
    for (const { query, fault } of checks) {
      const { rows } = await sql`SELECT 1 WHERE EXISTS (${sql.raw(query)})`.execute(db);
      if (rows.length > 0) faults.push(fault);
    }
    return faults;
  });
  return { damage, sound: 'all kept numbers are right' };
}
