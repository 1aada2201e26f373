import type { Client } from './client.ts';

type CursorRequest = { query?: { after?: string } };
type CursorPage<D> = { data: readonly D[]; meta: { next?: string | null } };

/**
 * Walks a list that is read by cursor, page by page, while rows come and go:
 *
 *   for await (const contact of iterate(parley, listContacts, { query: { q: 'Ada', limit: 100 } })) …
 *
 * @throws Error when the pages lead nowhere: one is empty but not the last, or they form a circle
 */
export async function* iterate<R extends CursorRequest | undefined, D>(
  client: Client,
  list: (client: Client, request: R) => Promise<CursorPage<D>>,
  request: NonNullable<R>,
): AsyncGenerator<D, void, undefined> {
  let after: string | null | undefined = request.query?.after ?? '';
  const isCircle = circles();
  while (after !== null && after !== undefined) {
    const page: CursorPage<D> = await list(client, { ...request, query: { ...request.query, after } });
    yield* page.data;
    after = page.meta.next;
    if (typeof after === 'string' && (page.data.length === 0 || isCircle(after)))
      throw new Error(`The page after ${after} leads nowhere: the list would never end.`);
  }
}

/** Tells when a cursor comes again (Brent's algorithm, which remembers one cursor however long the list is). */
function circles(): (cursor: string) => boolean {
  let remembered = '';
  let pages = 0;
  let pagesUntilNext = 1;
  return (cursor) => {
    if (cursor === remembered) return true;
    if (++pages === pagesUntilNext) {
      remembered = cursor;
      pages = 0;
      pagesUntilNext *= 2;
    }
    return false;
  };
}
