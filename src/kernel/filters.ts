import { invalidAt } from '../base/errors.ts';
import { foldText } from '../base/fold-text.ts';
import { given } from '../base/given.ts';
import { list, oneOf, optional, Type, timestamp } from './schema.ts';

/** The query parameters that several lists share as filters. */

/** `since` is included, `until` is not. */
export const period = {
  since: optional(timestamp('Only what was created at this instant or later')),
  until: optional(timestamp('Only what was created before this instant')),
};

/** The text that a person types into a search box. */
export const search = (description: string) => optional(Type.String({ maxLength: 200, description }));

/** The text of a search, folded (base/fold-text.ts); undefined when it is empty. */
export const searchTextIn = (q: string | undefined): string | undefined => foldText(q ?? '').trim() || undefined;

/** Part of a phone number as people write them, without blanks and punctuation; undefined for other text. */
export const phonePartOf = (q = ''): string | undefined =>
  /^[\s+\d()./-]*\d[\s+\d()./-]*$/.test(q) ? q.replaceAll(/[^+\d]/g, '') : undefined;

/** A query parameter that may be repeated, to ask for several values of a closed set. */
export const anyOf = <const T extends readonly string[]>(values: T, description: string) =>
  optional(list(oneOf(values), { minItems: 1, maxItems: 20, description }));

/** `since` and `until` in whole Unix milliseconds, rounded up. */
export const periodOf = ({ since, until }: { since?: string; until?: string }) =>
  given({ since: since === undefined ? since : startOf(since), until: until === undefined ? until : startOf(until) });

/** The last millisecond that an id can hold (RFC 9562, section 5.7). */
const maxIdMs = 2 ** 48 - 1;

/** The first whole millisecond at or after an instant, limited to the range that ids can hold. */
function startOf(instant: string): number {
  const ms = Temporal.Instant.from(instant).round({ smallestUnit: 'millisecond', roundingMode: 'ceil' });
  return Math.min(Math.max(ms.epochMilliseconds, 0), maxIdMs);
}

/**
 * Unix milliseconds of a parameter of the format `local-date-or-time`, which is local to a time zone unless it has an offset. A date is its
 * beginning.
 * @throws invalid at `path` for a date that does not exist
 */
export function instantIn(path: string, text: string | undefined, timezone: string): number | undefined {
  if (text === undefined) return undefined;
  try {
    return /([Zz]|[+-]\d\d:?\d\d)$/.test(text)
      ? Temporal.Instant.from(text).epochMilliseconds
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    throw invalidAt(path, 'must be a date and time as in ISO 8601');
  }
}

/** Unix milliseconds of an optional parameter. */
export const instantOrNull = (text: string | undefined): number | null =>
  text === undefined ? null : Temporal.Instant.from(text).epochMilliseconds;

/** Each of the values once. */
export const distinct = <T>(values: readonly T[] | undefined): readonly T[] | undefined =>
  values && [...new Set(values)];
