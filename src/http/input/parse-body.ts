import { isUtf8 } from 'node:buffer';
import { invalidAt, messageOf } from '../../base/errors.ts';
import { parseWithMetadata } from '../../base/json.ts';
import { type JsonLimits, scanJson } from '../../base/json-scan.ts';
import type { BodyLimit } from '../../kernel/route.ts';

const maxDepth = 64;

/** The limits on the content of a JSON body (docs/operations.md, "Limits of requests"). */
export const jsonLimitsOf = (limit: BodyLimit): JsonLimits => ({
  maxValues: limit === 'large' ? 500_000 : 200_000,
  maxDepth,
});

/**
 * Parses a JSON body; undefined for an empty one. Every `metadata` that is an object becomes a JsonObject.
 * @throws invalid if it is not JSON, not UTF-8, or exceeds a limit
 */
export function parseBody(bytes: Buffer, limits: JsonLimits): unknown {
  if (bytes.length === 0) return undefined;
  // A lenient decoder would silently replace invalid bytes with other text.
  if (!isUtf8(bytes)) throw invalidAt('', 'The body is not valid JSON: it is not UTF-8.');
  const { exceeded, metadata } = scanJson(bytes, limits);
  if (exceeded === 'maxDepth') throw invalidAt('', `The body is nested more than ${limits.maxDepth} levels deep.`);
  if (exceeded === 'maxValues') throw invalidAt('', `The body contains more than ${limits.maxValues} values.`);
  try {
    return parseWithMetadata(bytes, metadata);
  } catch (error) {
    throw invalidAt('', `The body is not valid JSON: ${messageOf(error)}.`);
  }
}
