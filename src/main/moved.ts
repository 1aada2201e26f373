import { installation, type Queryable, transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { type Finding, finding } from './finding.ts';

/** The database that the installation was moved to from this one; undefined if it was not. */
async function movedTo(db: Queryable): Promise<string | undefined> {
  return (await db.selectFrom('moved_to').select('url').executeTakeFirst())?.url;
}

export async function markMoved(tx: Tx, url: string, movedAt: number): Promise<void> {
  const moved = { url, moved_at: movedAt };
  await tx
    .insertInto('moved_to')
    .values({ id: 1, ...moved })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(moved))
    .execute();
}

/** A restored backup may be of a database that was moved afterwards. */
export const forgetMove = (db: Queryable): Promise<void> =>
  transact(db, installation, async (tx) => void (await tx.deleteFrom('moved_to').where('id', '=', 1).execute()));

/** What a move leaves to say: no node serves what was moved away, unless it is told to. */
export async function movedFindings({ db, config }: Pick<App, 'db' | 'config'>): Promise<Finding[]> {
  const url = await movedTo(db);
  if (url === undefined) return [];
  const served = config.store.moved_anyway ? 'store.moved_anyway serves what is here' : 'parley serve ends';
  const message = `this installation was moved to ${url}, and what is here is its state of that moment: ${served}`;
  return [finding('moved', config.store.moved_anyway ? 'warn' : 'fail', message)];
}

/** @throws an Error when the installation was moved elsewhere, unless `movedAnyway` is set */
export async function requireNotMoved(db: Queryable, movedAnyway: boolean): Promise<void> {
  const url = movedAnyway ? undefined : await movedTo(db);
  if (url !== undefined)
    throw new Error(
      `This installation was moved to ${url}, and what is here is its state of that moment: use that database. To use this one all the same: --set store.moved_anyway=true`,
    );
}
