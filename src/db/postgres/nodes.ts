import { sql } from 'kysely';
import type pg from 'pg';
import type { LiveNode, Nodes } from '../open-database.ts';
import type { Queryable } from '../transaction.ts';

/** A node that was not seen this long, by the database's clock, is given up. */
const givenUpAfterMs = 15_000;
export const notGivenUp = `seen_at > clock_timestamp() - interval '${givenUpAfterMs} ms'`;

/** A process that serves, or stands by to serve. */
export type NodeIdentity = Pick<LiveNode, 'id' | 'name' | 'version'> & {
  /** The ids of the encryption keys that the node knows at this moment. */
  keyIds: () => readonly string[];
};

/** Records that a node lives, and what it does. */
export async function recordNode(
  client: pg.ClientBase,
  { id, name, version, keyIds }: NodeIdentity,
  roles: LiveNode['roles'],
): Promise<void> {
  await client.query(
    `INSERT INTO nodes (id, name, version, roles, key_ids, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET roles = excluded.roles, key_ids = excluded.key_ids, seen_at = excluded.seen_at`,
    [id, name, version, JSON.stringify(roles), JSON.stringify(keyIds())],
  );
}

/** For so long it is told of a node that it was lost. */
const forgottenAfter = `interval '1 day'`;

/** Removes a node that ends, and those that were lost long ago. */
export async function forgetNode(client: pg.ClientBase, { id }: Pick<NodeIdentity, 'id'>): Promise<void> {
  await client.query(`DELETE FROM nodes WHERE id = $1 OR seen_at < clock_timestamp() - ${forgottenAfter}`, [id]);
}

/** Lets a node whose place was taken count as lost at once. */
export async function giveUpNode(client: pg.ClientBase, { id }: Pick<NodeIdentity, 'id'>): Promise<void> {
  await client.query(
    `UPDATE nodes SET seen_at = clock_timestamp() - interval '${givenUpAfterMs} ms' WHERE id = $1 AND ${notGivenUp}`,
    [id],
  );
}

type Row = Pick<LiveNode, 'id' | 'name' | 'version' | 'startedAt' | 'seenAt'> & { roles: string };

const msOf = (column: string) => sql.raw(`(extract(epoch FROM ${column}) * 1000)::bigint`);

/** The one that started first before the others. */
async function nodesWhere(db: Queryable, condition: string): Promise<LiveNode[]> {
  const { rows } = await sql<Row>`
    SELECT id, name, version, roles, ${msOf('started_at')} AS "startedAt", ${msOf('seen_at')} AS "seenAt"
    FROM nodes WHERE ${sql.raw(condition)} ORDER BY started_at, id`.execute(db);
  return rows.map((row) => ({ ...row, roles: JSON.parse(row.roles) as LiveNode['roles'] }));
}

const lost = `NOT ${notGivenUp} AND seen_at > clock_timestamp() - ${forgottenAfter}
  AND name NOT IN (SELECT name FROM nodes WHERE ${notGivenUp})`;

export const nodesOf = (db: Queryable): Nodes => ({
  live: () => nodesWhere(db, notGivenUp),
  lost: () => nodesWhere(db, lost),
  async now() {
    const { rows } = await sql<{ now: number }>`SELECT ${msOf('clock_timestamp()')} AS now`.execute(db);
    return rows[0]!.now;
  },
});

export async function nodesWithoutKey(db: Queryable, keyId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; keyIds: string }>`
    SELECT name, key_ids AS "keyIds" FROM nodes WHERE ${sql.raw(notGivenUp)} ORDER BY name`.execute(db);
  return rows.filter(({ keyIds }) => !(JSON.parse(keyIds) as string[]).includes(keyId)).map(({ name }) => name);
}
