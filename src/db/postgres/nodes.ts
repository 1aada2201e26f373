import { sql } from 'kysely';
import type pg from 'pg';
import type { LiveNode } from '../open-database.ts';
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

/** Removes a node that ends or is given up, and those that died long ago. */
export async function forgetNode(client: pg.ClientBase, { id }: Pick<NodeIdentity, 'id'>): Promise<void> {
  await client.query(`DELETE FROM nodes WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 day'`, [id]);
}

type Row = Pick<LiveNode, 'id' | 'name' | 'version' | 'startedAt' | 'seenAt'> & { roles: string };

const msOf = (column: string) => sql.raw(`(extract(epoch FROM ${column}) * 1000)::bigint`);

/** The nodes that live, the one that started first before the others. */
export async function liveNodes(db: Queryable): Promise<LiveNode[]> {
  const { rows } = await sql<Row>`
    SELECT id, name, version, roles, ${msOf('started_at')} AS "startedAt", ${msOf('seen_at')} AS "seenAt"
    FROM nodes WHERE ${sql.raw(notGivenUp)} ORDER BY started_at, id`.execute(db);
  return rows.map((row) => ({ ...row, roles: JSON.parse(row.roles) as LiveNode['roles'] }));
}

export async function nodesWithoutKey(db: Queryable, keyId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; keyIds: string }>`
    SELECT name, key_ids AS "keyIds" FROM nodes WHERE ${sql.raw(notGivenUp)} ORDER BY name`.execute(db);
  return rows.filter(({ keyIds }) => !(JSON.parse(keyIds) as string[]).includes(keyId)).map(({ name }) => name);
}
