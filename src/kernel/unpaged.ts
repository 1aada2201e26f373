import { type RawBuilder, sql } from 'kysely';
import { conflict } from '../base/errors.ts';
import type { Tx } from '../db/transaction.ts';

/** A list without pages that an organization may fill. */
export type UnpagedList = {
  /** The rows that an organization has in it. */
  rowsOf(orgId: string): RawBuilder<unknown>;
  max: number;
  /** The entries, in the plural, as the message names them. */
  noun: string;
  /** How to make room. */
  remedy: string;
};

/**
 * Lists without pages are answered whole, so their length is limited where they grow.
 * @throws conflict when the organization has as many entries as it may
 */
export async function requireRoom(tx: Tx, orgId: string, list: UnpagedList): Promise<void> {
  const some = sql<{ n: number }>`SELECT count(*) AS n FROM (${list.rowsOf(orgId)} LIMIT ${list.max}) AS found`;
  if ((await some.execute(tx)).rows[0]!.n < list.max) return;
  throw conflict(`The organization has ${list.max} ${list.noun}, which is the most it may have; ${list.remedy}.`);
}
