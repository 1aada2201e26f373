import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../db/transaction.ts';
import type { CalledPerson } from './erasure.ts';

const callsAtOnce = 50;

type Cursor = { id: string; at: number };

/** The ended calls of a contact, then those with its phone alone, each newest first, a page of ids at a time. */
export async function* idsOfPerson(
  db: Queryable,
  orgId: string,
  { contactId, phone }: CalledPerson,
): AsyncGenerator<string[]> {
  const ended = sql`organization_id = ${orgId} AND status IS NOT NULL`;
  yield* walk(db, ({ id }) => sql`contact_id = ${contactId} AND ${ended} AND id < ${id} ORDER BY id DESC`);
  if (phone === null) return;
  const alone = ({ id, at }: Cursor) => sql`contact_id IS NULL AND ${ended}
    AND (created_at, id) < (${at}, ${id}) ORDER BY created_at DESC, id DESC`;
  yield* walk(db, (after) => sql`to_phone = ${phone} AND direction = 'outbound' AND ${alone(after)}`);
  yield* walk(db, (after) => sql`from_phone = ${phone} AND direction = 'inbound' AND ${alone(after)}`);
}

/** After all ids and instants. */
const end: Cursor = { id: '~', at: Number.MAX_SAFE_INTEGER };

async function* walk(db: Queryable, condition: (after: Cursor) => RawBuilder<unknown>): AsyncGenerator<string[]> {
  let after = end;
  for (;;) {
    const found = sql<Cursor>`SELECT id, created_at AS at FROM calls WHERE ${condition(after)} LIMIT ${callsAtOnce}`;
    const { rows } = await found.execute(db);
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    after = rows.at(-1)!;
  }
}
