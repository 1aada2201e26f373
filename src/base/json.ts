/*
 * Lossless JSON: a number that JavaScript would write differently (`1.0`, `12345678901234567890`, `1e400`) keeps its text, and
 * JSON.stringify writes that text again. Callers get their `metadata` back as they sent it.
 */

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** ECMAScript's "JSON.parse source text access", which TypeScript's library lacks. */
const json = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON(text: string): object;
};

/** Matches every text with a number that may need it. All others are parsed without the reviver, which is slow. */
const mayLosePrecision = /\d[.eE]|\d{16}|-0/;

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source ? json.rawJSON(source) : value;

/** Parses JSON without loss, for data that belongs to the caller and that parley never computes with. */
export const parseExactly = (text: string): unknown =>
  json.parse(text, mayLosePrecision.test(text) ? keepDigits : undefined);

/** Replaces the value of every `metadata` key in parsed JSON by its lossless form. Check the nesting first: this recurses. */
export function parseWithExactMetadata(text: string, plain: unknown): unknown {
  if (!/"metadata"|\\u/.test(text) || !mayLosePrecision.test(text)) return plain;
  graft(plain, json.parse(text, keepDigits));
  return plain;
}

function graft(plain: unknown, exact: unknown): void {
  if (plain === null || typeof plain !== 'object') return;
  const [into, from] = [plain as Record<string, unknown>, exact as Record<string, unknown>];
  for (const key of Object.keys(into)) {
    if (key === 'metadata') into[key] = from[key];
    else graft(into[key], from[key]);
  }
}

/** Whether arrays and objects are nested more than `levels` deep. Check this before recursing into a caller's data. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (isDeeper(item, levels - 1)) return true;
  return false;
}
