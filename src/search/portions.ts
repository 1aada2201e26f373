import { nextMacrotask } from '../base/clock.ts';

/** Rows in the order of their ids, some at a time; other work may run in between. `select` reads those after an id. */
export async function* portions<R extends { id: number }>(
  select: (after: number) => Promise<{ rows: R[] }>,
): AsyncGenerator<R[]> {
  let after = 0;
  for (;;) {
    const { rows } = await select(after);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.id;
    await nextMacrotask();
  }
}
