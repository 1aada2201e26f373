/**
 * JSON that keeps what JavaScript's numbers cannot: a number that would read back differently (`1.0`, `12345678901234567890`,
 * `1e400`) stays the text it was, and JSON.stringify writes that text again.
 */

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** ECMAScript's JSON.parse source text access, which TypeScript's library does not know yet. */
const json = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON(text: string): object;
};

/** Only such texts can hold a number that reads back differently; the others are read without the slow callback. */
const mayLose = /\d[.eE]|\d{16}|-0/;

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source ? json.rawJSON(source) : value;

/** Reads JSON so that JSON.stringify writes every value as it was: for a caller's own data, which nobody here calculates with. */
export const parseExactly = (text: string): unknown => json.parse(text, mayLose.test(text) ? keepDigits : undefined);

/** Reads JSON as usual, but what stands under a key `metadata` exactly. Nesting must be bounded before: this recurses. */
export function parseWithExactMetadata(text: string, plain: unknown): unknown {
  if (!/"metadata"|\\u/.test(text) || !mayLose.test(text)) return plain;
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

/** Whether arrays and objects are nested deeper than so many levels. Asked before anything that recurses into a caller's data. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (isDeeper(item, levels - 1)) return true;
  return false;
}
