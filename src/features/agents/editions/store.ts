import { type Selectable, sql } from 'kysely';
import { readPage } from '../../../db/pages.ts';
import { insertInto, sent } from '../../../db/prepared.ts';
import type { AgentEditionsTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import type { Actor } from '../../requests/audit.ts';
import type { Edition, EditionSettings } from './edition.ts';

type Row = Selectable<AgentEditionsTable>;

const editionOf = (row: Omit<Row, 'settings'>): Edition => ({
  edition: row.edition,
  at: row.at,
  by: row.made_by === null ? null : (JSON.parse(row.made_by) as Actor),
  note: row.note,
  fields: JSON.parse(row.fields) as string[],
  calls: row.calls,
});

const insertRow = insertInto('agent_editions');

export const insertEdition = (
  tx: Tx,
  agentId: string,
  { edition, at, by, note, fields }: Omit<Edition, 'calls'>,
  settings: EditionSettings,
): Promise<void> =>
  insertRow(tx, {
    agent_id: agentId,
    edition,
    at,
    made_by: by && JSON.stringify(by),
    note,
    fields: JSON.stringify(fields),
    settings: JSON.stringify(settings),
  });

/** The editions of an agent, newest first. Their numbers have no gaps, so any page of the list is a range of numbers. */
export async function editionPage(db: Queryable, agentId: string, page: Page): Promise<Paged<Edition>> {
  const editions = db.selectFrom('agent_editions').where('agent_id', '=', agentId);
  const { last } = await editions.select((eb) => eb.fn.max('edition').as('last')).executeTakeFirstOrThrow();
  const total = last ?? 0;
  const columns = ['agent_id', 'edition', 'at', 'made_by', 'note', 'fields', 'calls'] as const;
  const fromThere = editions.select(columns).where('edition', '<=', total - page.offset);
  const { rows } = await readPage(db, fromThere.orderBy('edition', 'desc'), total, { ...page, offset: 0 });
  return { items: rows.map(editionOf), total };
}

export async function editionByNumber(
  db: Queryable,
  agentId: string,
  edition: number,
): Promise<{ edition: Edition; settings: EditionSettings } | undefined> {
  const row = await db
    .selectFrom('agent_editions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('edition', '=', edition)
    .executeTakeFirst();
  return row && { edition: editionOf(row), settings: JSON.parse(row.settings) as EditionSettings };
}

const addCall = sent(
  (_db, p: { agentId: string; edition: number }) =>
    sql`UPDATE agent_editions SET calls = calls + 1 WHERE agent_id = ${p.agentId} AND edition = ${p.edition}`,
);
export async function countEditionCall(tx: Tx, agentId: string, edition: number): Promise<void> {
  await addCall(tx, { agentId, edition });
}

/** Deletes up to `limit` editions of a removed agent; returns how many. */
export async function deleteEditions(tx: Tx, agentId: string, limit: number): Promise<number> {
  const result = await sql`DELETE FROM agent_editions WHERE agent_id = ${agentId} AND edition IN
    (SELECT edition FROM agent_editions WHERE agent_id = ${agentId} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}
