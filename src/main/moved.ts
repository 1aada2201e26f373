import { installation, type Queryable, transact, type Tx } from '../db/transaction.ts';

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

/** @throws an Error when the installation was moved elsewhere, unless `movedAnyway` is set */
export async function requireNotMoved(db: Queryable, movedAnyway: boolean): Promise<void> {
  const url = movedAnyway ? undefined : await movedTo(db);
  if (url !== undefined)
    throw new Error(
      `This installation was moved to ${url}, and what is here is its state of that moment: use that database. To use this one all the same: --set store.moved_anyway=true`,
    );
}
