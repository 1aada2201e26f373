import type { Cursors, RowsOfPage, Slice } from '../db/pages.ts';

/** A slice of a list. */
export type Page = Slice;
/** `total` for a page by offset, `cursors` for a page by position. */
export type Paged<T> = { items: T[]; total?: number; cursors?: Cursors };

export const defaultLimit = 50;
const maxLimit = 500;

/** A larger limit is lowered to the maximum instead of refused; the answer's `meta.limit` shows the value used. */
export const pageOf = (query: { limit?: number; offset?: number }, owner = ''): Page => ({
  limit: Math.min(query.limit ?? defaultLimit, maxLimit),
  offset: query.offset ?? 0,
  owner,
});

/** The page with its rows converted to items. */
export const pagedOf = <R, T>({ rows, ...meta }: RowsOfPage<R>, itemOf: (row: R) => T): Paged<T> => ({
  items: rows.map((row) => itemOf(row)),
  ...meta,
});

/** The reply of an operation with a page. */
export const pageReply = <T, W>({ items, ...meta }: Paged<T>, present: (item: T) => W) => ({
  data: items.map((item) => present(item)),
  ...meta,
});
