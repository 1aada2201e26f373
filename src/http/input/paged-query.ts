import type { TObject } from '../../base/typebox.ts';
import type { Route } from '../../kernel/route.ts';
import { integer, object, optional, Type } from '../../kernel/schema.ts';

const after = optional(
  Type.String({
    maxLength: 500,
    description:
      'Instead of `offset`: empty for the first page, then `meta.next` of the page before. Costs the same anywhere in the list, and rows that are added or deleted meanwhile shift no others. `meta` is `{limit, next}`; `next` is null at the end.',
  }),
);

/** Adds `limit`, `offset` and, where the list has cursors, `after` to the query parameters of a list (docs/api/http.md, "Lists"). */
export const pagedQuery = ({ query, paged }: Pick<Route, 'query' | 'paged'>): TObject =>
  object({
    ...query?.properties,
    ...(paged === 'cursor' ? { after } : {}),
    limit: optional(
      integer({
        minimum: 1,
        default: 50,
        description: 'Maximum number of items to return; values above 500 are treated as 500.',
      }),
    ),
    offset: optional(
      integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Number of items to skip' }),
    ),
  });
