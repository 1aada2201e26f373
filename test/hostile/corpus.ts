import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A body that an attacker might send. `make` gets the limit in bytes that it may fill. */
export type HostileBody = {
  name: string;
  make: (maxBytes: number) => Buffer | string;
  headers?: Readonly<Record<string, string>>;
  /** Statuses besides 400 that are right answers to a caller with credentials. */
  also?: readonly number[];
  /** Sent in chunks of this size instead of with a length. */
  chunkBytes?: number;
  /** Added to the true length in Content-Length, to send a false one; the connection is closed after the body. */
  extraLength?: number;
};

const mebibyte = 1_048_576;
const repeat = (unit: string, bytes: number): string => unit.repeat(Math.max(0, Math.floor(bytes / unit.length)));
/** Repeats a unit between a start and an end, up to the limit. */
const filled = (start: string, unit: string, end: string) => (maxBytes: number) =>
  start + repeat(unit, maxBytes - start.length - end.length) + end;
const text = (body: string) => () => body;
const nested = (open: string, inner: string, close: string, levels: number) => () =>
  open.repeat(levels) + inner + close.repeat(levels);
const uniqueKeys = (maxBytes: number): string =>
  `{${Array.from({ length: Math.floor(maxBytes / 16) }, (_, index) => `"k${String(index).padStart(8, '0')}":0`).join()}}`;

const json: ReadonlyArray<readonly [string, HostileBody['make']]> = [
  ['open brackets', filled('', '[', '')],
  ['open objects', filled('', '{"a":', '')],
  ['balanced brackets, 65 levels', nested('[', '', ']', 65)],
  ['balanced objects, 65 levels', nested('{"a":', '1', '}', 65)],
  ['balanced brackets, 500,000 levels', (max) => nested('[', '', ']', Math.floor(max / 2))()],
  ['metadata, 65 levels', () => `{"metadata":${nested('{"a":', '1', '}', 65)()}}`],
  ['metadata with open objects', filled('{"metadata":', '{"metadata":', '')],
  ['alternating nesting', filled('', '[{"a":', '')],
  ['zeros', filled('{"a":[', '0,', '0]}')],
  ['nulls', filled('{"a":[', 'null,', 'null]}')],
  ['empty objects by the million', filled('{"a":[', '{},', '{}]}')],
  ['empty lists by the million', filled('{"a":[', '[],', '[]]}')],
  ['empty strings by the million', filled('{"a":["', '","', '"]}')],
  ['small objects', filled('{"a":[', '{"a":0},', '0]}')],
  ['a top-level list of objects', filled('[', '{},', '{}]')],
  ['unknown keys', uniqueKeys],
  ['one key repeated', filled('{', '"a":0,', '"a":0}')],
  ['a known key repeated', filled('{', '"metadata":{},', '"metadata":0}')],
  ['an escaped key repeated', filled('{', '"\\u006detadata":{},', '"metadata":0}')],
  ['a long key', filled('{"', 'k', '":0}')],
  ['metadata of zeros', filled('{"metadata":{"a":[', '0,', '0]}}')],
  ['metadata of decimals', filled('{"metadata":{"a":[', '1.0,', '1.0]}}')],
  ['metadata of objects', filled('{"metadata":{"a":[', '{},', '{}]}}')],
  ['metadata of one string', filled('{"metadata":{"a":"', 'x', '"}}')],
  ['metadata that is a huge number', text('{"metadata":1e400}')],
  ['metadata that is a list', text('{"metadata":[]}')],
  ['contacts that are empty', filled('{"contacts":[', '{},', '{}]}')],
  ['contacts that are numbers', filled('{"contacts":[', '5,', '5]}')],
  ['contacts with unknown fields', filled('{"contacts":[', '{"a":0,"b":0,"c":0},', '{}]}')],
  ['contacts with every field of a wrong type', filled('{"contacts":[', '{"phone":1,"email":2,"tags":3},', '{}]}')],
  ['ids that are none', filled('{"contact_ids":["', 'x","', 'x"]}')],
  ['URLs that are none', filled('{"webhook_urls":["', 'x","', 'x"]}')],
  ['texts that are empty', filled('{"knowledge_base_texts":[', '{},', '{}]}')],
  ['a number of a million digits', filled('{"a":', '9', '}')],
  ['a decimal of a million digits', filled('{"a":0.', '9', '}')],
  ['an exponent of a million digits', filled('{"a":1e', '9', '}')],
  ['numbers that overflow', filled('{"a":[', '1e999,', '1e999]}')],
  ['long numbers', filled('{"a":[', '12345678901234567890,', '0]}')],
  ['minus signs', filled('{"a":', '-', '}')],
  ['one long string', filled('{"a":"', 'x', '"}')],
  ['escapes', filled('{"a":"', '\\u0041', '"}')],
  ['lone surrogates', filled('{"a":"', '\\ud800', '"}')],
  ['NUL characters', filled('{"a":"', '\\u0000', '"}')],
  ['raw control characters', filled('{"a":"', '\u0001', '"}')],
  ['backslashes', filled('{"a":"', '\\\\', '"}')],
  ['a string that does not end', filled('{"a":"', '\\"', '')],
  ['quotes', filled('', '"', '')],
  ['commas', filled('[', ',', ']')],
  ['colons', filled('{"a"', ':', '}')],
  ['closing brackets', filled('', ']', '')],
  ['spaces', filled('', ' ', '')],
  ['line breaks', filled('{', '\r\n', '"a"}')],
  ['two documents', text('{"a":1}{"b":2}')],
  ['a trailing comma', text('{"a":1,}')],
  ['a comment', filled('/*', '*', '*/{}')],
  ['NaN', text('{"a":NaN}')],
  ['single quotes', text("{'a':1}")],
  ['a prototype', text('{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}')],
  ['names of methods', text('{"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4,"then":5}')],
  ['null', text('null')],
  ['a string', text('"text"')],
];

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const around = (middle: Buffer) => () => Buffer.concat([Buffer.from('{"a":"'), middle, Buffer.from('"}')]);

const encodings: HostileBody[] = [
  { name: 'invalid UTF-8', make: around(bytes(0xff, 0xfe)) },
  { name: 'invalid UTF-8 at the end of much', make: (max) => Buffer.concat([Buffer.alloc(max - 1, ' '), bytes(0xff)]) },
  { name: 'an overlong encoding', make: around(bytes(0xc0, 0x80)) },
  { name: 'a surrogate in UTF-8', make: around(bytes(0xed, 0xa0, 0x80)) },
  { name: 'a truncated character', make: around(bytes(0xf0, 0x9f)) },
  { name: 'UTF-16', make: () => Buffer.from('\ufeff{"a":1}', 'utf16le') },
  { name: 'a byte order mark', make: () => '\ufeff{"a":1}' },
  { name: 'two byte order marks', make: () => '\ufeff\ufeff{"a":1}' },
];

const spaces = Buffer.alloc(64 * mebibyte, ' ');
const encoded = (encoding: string) => ({ 'content-encoding': encoding });

/** Makes a body when it is first needed and keeps it, because compressing takes a second. */
const once = (make: () => Buffer): (() => Buffer) => {
  let made: Buffer | undefined;
  return () => (made ??= make());
};

const compressions: HostileBody[] = [
  { name: 'a gzip bomb', make: once(() => gzipSync(spaces)), headers: encoded('gzip'), also: [413] },
  { name: 'a deflate bomb', make: once(() => deflateSync(spaces)), headers: encoded('deflate'), also: [413] },
  {
    name: 'a Brotli bomb',
    make: once(() => brotliCompressSync(spaces, { params: { [1]: 1 } })),
    headers: encoded('br'),
    also: [413],
  },
  { name: 'gzip twice', make: once(() => gzipSync(gzipSync('{"a":1}'))), headers: encoded('gzip') },
  { name: 'gzip that is none', make: () => '{"a":1}', headers: encoded('gzip') },
  { name: 'gzip that is cut off', make: once(() => gzipSync('{"a":1}').subarray(0, 12)), headers: encoded('gzip') },
  { name: 'an unknown encoding', make: () => '{"a":1}', headers: encoded('zstd, gzip'), also: [415] },
];

const transfers: HostileBody[] = [
  { name: 'chunks of a byte', make: () => `{"a":${' '.repeat(3000)}1}`, chunkBytes: 1 },
  { name: 'chunks over the limit', make: (max) => ' '.repeat(max + 1), chunkBytes: 65_536, also: [413] },
  { name: 'a length over the limit', make: (max) => ' '.repeat(max + 1), also: [413] },
  { name: 'a length that is too long', make: () => '{"a":1}', extraLength: 100, also: [0] },
  { name: 'a length that is too short', make: () => '{"a":1}', extraLength: -3, also: [0] },
  { name: 'another type', make: () => '<a/>', headers: { 'content-type': 'application/xml' }, also: [415] },
  {
    name: 'a form without its boundary',
    make: (max) => repeat('--x\r\n', max),
    headers: { 'content-type': 'multipart/form-data; boundary=yyyy' },
    also: [413, 415],
  },
  {
    name: 'a form of a thousand parts',
    make: () => `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1000)}--x--`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    also: [413, 415],
  },
];

export const corpus: readonly HostileBody[] = [
  ...json.map(([name, make]) => ({ name, make })),
  ...encodings,
  ...compressions,
  ...transfers,
];
