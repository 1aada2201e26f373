import type { TObject } from '../../base/typebox.ts';
import { integer, object, optional } from '../../kernel/schema.ts';

/** Adds `limit` and `offset` to the query parameters of a list (contract, section 1). */
export const pagedQuery = (query: TObject | undefined): TObject =>
  object({
    ...query?.properties,
    limit: optional(
      integer({
        minimum: 1,
        description: 'Maximum number of items to return. Defaults to 50; values above 500 are treated as 500.',
      }),
    ),
    offset: optional(
      integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of items to skip. Defaults to 0.' }),
    ),
  });
