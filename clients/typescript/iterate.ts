import type { Client } from './client.ts';

type CursorRequest = { query?: { after?: string } };
type CursorPage<D> = { data: readonly D[]; meta: { next?: string | null } };

/**
 * Walks a list that is read by cursor, page by page, while rows come and go:
 *
 *   for await (const contact of iterate(parley, listContacts, { query: { q: 'Ada', limit: 100 } })) …
 */
export async function* iterate<R extends CursorRequest | undefined, D>(
  client: Client,
  list: (client: Client, request: R) => Promise<CursorPage<D>>,
  request: NonNullable<R>,
): AsyncGenerator<D, void, undefined> {
  let after: string | null | undefined = request.query?.after ?? '';
  while (after !== null && after !== undefined) {
    const page: CursorPage<D> = await list(client, { ...request, query: { ...request.query, after } });
    yield* page.data;
    after = page.meta.next;
  }
}
