/** A slice of a list (contract, section 1). */
export type Page = { limit: number; offset: number };
export type Paged<T> = { items: T[]; total: number };

export const defaultLimit = 50;
const maxLimit = 500;

/** A larger limit is lowered to the maximum instead of refused; the answer's `meta.limit` shows the value used. */
export const pageOf = (query: { limit?: number; offset?: number }): Page => ({
  limit: Math.min(query.limit ?? defaultLimit, maxLimit),
  offset: query.offset ?? 0,
});
