/** A slice of a list: contract, section 1 (default 50, at most 500). */
export type Page = { limit: number; offset: number };
export type Paged<T> = { items: T[]; total: number };

export const defaultLimit = 50;
const maxLimit = 500;

/** More than the maximum is answered with the maximum, and `meta.limit` says so. */
export const pageOf = (query: { limit?: number; offset?: number }): Page => ({
  limit: Math.min(query.limit ?? defaultLimit, maxLimit),
  offset: query.offset ?? 0,
});
