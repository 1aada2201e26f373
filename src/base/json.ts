import { randomUUID } from 'node:crypto';
import type { Span } from './json-scan.ts';

/*
 * Lossless JSON: a number that JavaScript would write differently (`1.0`, `12345678901234567890`, `1e400`) keeps its text, and
 * JSON.stringify writes that text again.
 */

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** ECMAScript's "JSON.parse source text access", which TypeScript's library lacks. */
const json = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON(text: string): object;
};

/** Matches every text with a number that may have to keep its text. All other texts are parsed without the reviver, which is slow. */
const mayLosePrecision = /\d[.eE]|\d{16}|-0/;

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source ? json.rawJSON(source) : value;

/** Parses JSON without loss, for data that belongs to the caller and that parley never computes with. */
export const parseExactly = (text: string): unknown =>
  json.parse(text, mayLosePrecision.test(text) ? keepDigits : undefined);

/** Texts to insert into the JSON that `stringify` is writing; undefined while it is not running. */
let inserted: string[] | undefined;

/** Followed by the index of an inserted text, stands for that text. Random, so that no caller's string is taken for one. */
const placeholder = randomUUID();

/** A caller's JSON object, such as `metadata`: stored and answered as the text that came, and parsed only where a value is needed. */
export class JsonObject {
  readonly text: string;
  /** @param text a valid JSON object */
  constructor(text: string) {
    this.text = text;
  }

  static of(value: Readonly<Record<string, unknown>>): JsonObject {
    return new JsonObject(JSON.stringify(value));
  }

  parsed(): Record<string, unknown> {
    return parseExactly(this.text) as Record<string, unknown>;
  }

  /** `stringify` inserts the text; for a plain JSON.stringify it is parsed. */
  toJSON(): unknown {
    return inserted ? placeholderFor(this, inserted) : this.parsed();
  }
}

export const emptyObject = new JsonObject('{}');

const placeholderFor = ({ text }: JsonObject, texts: string[]): string => `${placeholder}${texts.push(text) - 1}`;

/** JSON.stringify that writes every JsonObject as its text, unchanged and without parsing it. */
export function stringify(value: unknown): string {
  const texts: string[] = [];
  inserted = texts;
  try {
    return withTexts(JSON.stringify(withoutMetadata(value, texts)) ?? '', texts);
  } finally {
    inserted = undefined;
  }
}

/**
 * Replaces the metadata of `data` and of its items by placeholders, because JSON.stringify takes three times as long for a value that
 * contains an object with `toJSON`. JsonObjects elsewhere are left to `toJSON`.
 */
function withoutMetadata(value: unknown, texts: string[]): unknown {
  const { data } = (value ?? {}) as { data?: unknown };
  if (typeof data !== 'object' || data === null) return value;
  const replaced = (item: unknown): unknown => {
    const { metadata } = (item ?? {}) as { metadata?: unknown };
    return metadata instanceof JsonObject ? { ...(item as object), metadata: placeholderFor(metadata, texts) } : item;
  };
  return { ...(value as object), data: Array.isArray(data) ? data.map(replaced) : replaced(data) };
}

/** A placeholder as it stands in written JSON. */
const writtenPlaceholder = new RegExp(`"${placeholder}(\\d+)"`, 'g');

const withTexts = (written: string, texts: readonly string[]): string =>
  texts.length === 0 ? written : written.replace(writtenPlaceholder, (_match, index) => texts[Number(index)]!);

/**
 * Parses a JSON text in which `metadata` are the spans that `scanJson` found, and makes each of them a JsonObject.
 * @throws SyntaxError for malformed JSON
 */
export function parseWithMetadata(bytes: Buffer, metadata: readonly Span[]): unknown {
  const text = new TextDecoder().decode(bytes); // drops a byte order mark
  if (metadata.length === 0) return JSON.parse(text);
  const objects = metadata.map(({ start, end }) => new JsonObject(bytes.toString('utf8', start, end)));
  try {
    for (const object of objects) JSON.parse(object.text);
    return withObjects(JSON.parse(withPlaceholders(bytes, metadata)), objects);
  } catch {
    return JSON.parse(text); // throws the error with the position in the whole text
  }
}

/** The text, with a placeholder in place of each span: a JSON string that ends in the span's index. */
function withPlaceholders(bytes: Buffer, spans: readonly Span[]): string {
  const parts = spans.map(({ start }, index) => {
    const before = bytes.toString('utf8', spans[index - 1]?.end ?? 0, start);
    return `${before}"${placeholder}${index}"`;
  });
  return parts
    .join('')
    .concat(bytes.toString('utf8', spans.at(-1)!.end))
    .replace(/^\uFEFF/, '');
}

/** Replaces the placeholders in a parsed value, in place. */
function withObjects(value: unknown, objects: readonly JsonObject[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    const item = record[key];
    const isReplaced = key === 'metadata' && typeof item === 'string' && item.startsWith(placeholder);
    if (isReplaced) record[key] = objects[Number(item.slice(placeholder.length))];
    else if (typeof item === 'object') withObjects(item, objects);
  }
  return value;
}
