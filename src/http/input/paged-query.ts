import type { TObject } from '../../base/typebox.ts';
import { integer, object, optional } from '../../kernel/schema.ts';

/** A list's own query parameters with `limit` and `offset` (contract, section 1). */
export const pagedQuery = (query: TObject | undefined): TObject =>
  object({
    ...query?.properties,
    limit: optional(
      integer({ minimum: 1, description: 'Most entries to answer; 50 if left out, never more than 500' }),
    ),
    offset: optional(
      integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Entries to skip; 0 if left out' }),
    ),
  });
