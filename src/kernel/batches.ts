import { nextMacrotask } from '../base/clock.ts';
import { isInTransaction, type Queryable } from '../db/transaction.ts';

/** A list in parts of at most `size` elements. */
export const partsOf = <T>(list: readonly T[], size: number): Array<readonly T[]> =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

/** Does work part by part, each in a transaction of its own. Other transactions run in between, unless all of it is in one transaction. */
export async function inBatches<P>(
  db: Queryable,
  parts: readonly P[],
  work: (part: P, isLast: boolean) => Promise<void>,
) {
  for (const [index, part] of parts.entries()) {
    await work(part, index === parts.length - 1);
    if (!isInTransaction(db)) await nextMacrotask();
  }
}
