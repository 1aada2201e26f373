/** Limits on the content of a JSON text. Keys are not counted as values. */
export type JsonLimits = { maxValues: number; maxDepth: number };

/** Positions of bytes, `end` not included. */
export type Span = { start: number; end: number };

export type JsonScan = {
  /** The first limit that the text exceeds. */
  exceeded: keyof JsonLimits | undefined;
  /** The objects that are values of a key `metadata`, in order. One inside another such object is left out. */
  metadata: Span[];
};

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Looks over JSON without parsing it: parsing and validating a million empty objects would take seconds and a gigabyte, while this
 * takes a nanosecond or two per byte and no memory. Malformed JSON passes; the parser, which stops at the first error, refuses it.
 */
export function scanJson(bytes: Uint8Array, { maxValues, maxDepth }: JsonLimits): JsonScan {
  const metadata: Span[] = [];
  let depth = 0;
  let values = 1; // the text itself; then one for each comma, and one for the first entry of each array or object
  let span: (Span & { depth: number }) | undefined;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const start = at + 1;
      at = endOfString(bytes, start);
      if (!span && isMetadata(bytes, start, at)) {
        const valueAt = valueAfterKey(bytes, at + 1);
        if (bytes[valueAt] === openBrace) span = { start: valueAt, end: valueAt, depth };
      }
    } else if (byte === comma) {
      if ((values += 1) > maxValues) return { exceeded: 'maxValues', metadata };
    } else if (byte === openBrace || byte === openBracket) {
      if ((depth += 1) > maxDepth) return { exceeded: 'maxDepth', metadata };
      const next = bytes[skipSpace(bytes, at + 1)];
      if (next !== closeBrace && next !== closeBracket && (values += 1) > maxValues)
        return { exceeded: 'maxValues', metadata };
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (span?.depth === depth) {
        metadata.push({ start: span.start, end: at + 1 });
        span = undefined;
      }
    }
  }
  return { exceeded: undefined, metadata };
}

/** Most strings end within these bytes; a long one (sound as base64) is searched ten times as fast by `indexOf`. */
const nearBytes = 64;

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  const near = Math.min(start + nearBytes, bytes.length);
  while (at < near && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at < near ? at : endOfLongString(bytes, at);
}

function endOfLongString(bytes: Uint8Array, start: number): number {
  for (let from = start; ;) {
    const at = bytes.indexOf(quote, from);
    if (at < 0) return bytes.length;
    let escapes = 0;
    while (at - escapes > from && bytes[at - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
    from = at + 1;
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

/** The position of the value whose key ends before `start`; the end of the text for a string that is not a key. */
function valueAfterKey(bytes: Uint8Array, start: number): number {
  const at = skipSpace(bytes, start);
  return bytes[at] === colon ? skipSpace(bytes, at + 1) : bytes.length;
}

const name = Buffer.from('metadata');
/** Every character of the name can be written as an escape of six bytes, such as `\u006d`. */
const maxNameBytes = name.length * 6;

function isMetadata(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === name.length) {
    for (let at = 0; at < length; at += 1) if (bytes[start + at] !== name[at]) return false;
    return true;
  }
  if (length < name.length || length > maxNameBytes || !hasEscape(bytes, start, end)) return false;
  return unescaped(bytes.subarray(start, end)) === 'metadata';
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === backslash) return true;
  return false;
}

function unescaped(text: Uint8Array): string | undefined {
  try {
    return JSON.parse(`"${Buffer.from(text).toString()}"`) as string;
  } catch {
    return undefined;
  }
}
