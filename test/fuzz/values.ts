import { randomUUID } from 'node:crypto';
import type { Random } from '../crash/random.ts';
import type { Schema } from '../../src/http/openapi/schema.ts';
import type { Pools } from './pools.ts';

export type Context = { random: Random; pools: Pools; resolve: (schema: Schema) => Schema };

/** Characters of many scripts. An emoji that consists of several code points is one entry. */
const alphabets = [
  Array.from('abcdefghij '),
  Array.from('ÄÖÜäöüß'),
  Array.from('日本語中文'),
  ['🦜', '🐙', '👩‍🚀'],
  Array.from('<>&"\'`'),
  Array.from('%_\\'),
  Array.from('\t\n'),
  Array.from('\u202e\u200b\ufeff'),
  Array.from('+=-@'),
  Array.from('0123456789'),
];

/** Text that can be stored, and that cannot be mistaken for a URL. */
export function someText(random: Random, minLength: number, maxLength: number): string {
  const length = random.chance(0.03)
    ? Math.min(maxLength, 2000)
    : random.between(minLength, Math.min(maxLength, minLength + 20));
  let text = '';
  while (text.length < length) text += random.pick(random.pick(alphabets));
  return random.chance(0.8)
    ? text.slice(0, maxLength).toWellFormed().replaceAll('\ufffd', 'x')
    : 'x'.repeat(Math.max(minLength, 1));
}

/** The kind of resource that an id belongs to, from its description: `agent` in "ID of the agent, …". */
export const kindOf = ({ description = '' }: Schema): string =>
  /^ID of the ([\w ]+?)(?:$|[,;:]| in this)/.exec(description)?.[1] ?? '';

function anId({ random, pools }: Context, schema: Schema): string {
  const kind = kindOf(schema);
  if (kind === 'organization') return pools.orgId;
  return (random.chance(0.9) ? pools.pick(kind) : undefined) ?? randomUUID();
}

const byFormat: Readonly<Record<string, (context: Context, schema: Schema) => string>> = {
  uuid: anId,
  e164: ({ random, pools }) => random.pick(pools.phones),
  email: ({ random }) =>
    `${random.pick(['ada', 'grace.hopper', "o'neil", 'x+y'])}${random.chance(0.5) ? '' : random.between(1, 99)}@example.com`,
  'date-time': ({ random, pools }) =>
    instant(pools.now() + random.between(-5, 30) * random.pick([60_000, 3_600_000, 86_400_000])),
  'local-date-time': ({ random, pools }) => instant(pools.now() + random.between(-5, 30) * 86_400_000).slice(0, 16),
  'local-date-or-time': ({ random, pools }) =>
    instant(pools.now() + random.between(-5, 30) * 86_400_000).slice(0, random.pick([10, 16])),
  country: ({ random }) => random.pick(['DE', 'us', 'JP']),
  'time-zone': ({ random }) =>
    random.pick(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu']),
  'time-of-day': ({ random }) =>
    `${String(random.between(0, 23)).padStart(2, '0')}:${String(random.between(0, 59)).padStart(2, '0')}`,
  'http-url': ({ random }) => random.pick(['http://127.0.0.1/1.mp3', 'https://localhost/a%20recording?id=1#0']),
  'termination-uri': ({ random }) =>
    random.pick(['sip.example.com', 'sip:trunk.example.com:5061', 'sips:[2001:db8::1]']),
};

const instant = (ms: number): string => new Date(ms).toISOString();

const ownPhone = ({ random, pools }: Context): string => pools.pick('own phone') ?? random.pick(pools.phones);

/** Fields whose valid values depend on the server's data. URLs are loopback ones, so that no request leaves the machine. */
const byName: Readonly<Record<string, (context: Context) => unknown>> = {
  webhook_url: ({ random, pools }) => random.pick(pools.hookUrls),
  webhook_urls: ({ random, pools }) => pools.hookUrls.slice(0, random.between(1, 3)),
  model: ({ random, pools }) => random.pick(pools.catalog).model,
  voiceId: ({ random, pools }) => random.pick(pools.catalog).voiceId,
  api_key: ({ random, pools }) => random.pick(pools.providerKeys),
  org_id: ({ pools }) => pools.orgId,
  from: ownPhone,
  fromPhoneNumber: ownPhone,
  phone_number: ownPhone,
  agent_id: ({ pools }) => pools.pick('agent') ?? randomUUID(),
  platform_id: ({ random }) => random.pick(['1000', '1001', 'intro-1', 'nothing']),
  event_type_id: ({ random }) => random.between(1000, 1001),
};

/** A random value that conforms to a schema. */
export function valid(context: Context, schemaOrRef: Schema, name = ''): unknown {
  const { random } = context;
  const schema = { ...context.resolve(schemaOrRef) };
  const types = [schema.type ?? 'object'].flat();
  if (types.includes('null') && random.chance(0.15)) return null;
  if (Object.hasOwn(byName, name)) return byName[name]!(context);
  if (schema.anyOf) return valid(context, random.pick(schema.anyOf), name);
  if (schema.enum) return random.pick(schema.enum);
  switch (random.pick(types.filter((type) => type !== 'null'))) {
    case 'object':
      return schema.properties ? anObject(context, schema) : someJson(random, 3);
    case 'array':
      return aList(context, schema);
    case 'integer':
      return aNumber(random, schema);
    case 'number':
      return random.chance(0.5) ? aNumber(random, schema) : (schema.minimum ?? 0) + random.draw();
    case 'boolean':
      return random.chance(0.5);
    default:
      return aString(context, schema);
  }
}

function aString(context: Context, schema: Schema): string {
  if (schema.format !== undefined) return byFormat[schema.format]!(context, schema);
  if (schema.pattern === '^[!-~]+$') return 'cal_unknown';
  if (schema.pattern?.startsWith('^[1-9]')) return String(context.random.between(1, 2000));
  return someText(
    context.random,
    Math.max(schema.minLength ?? 0, schema.pattern === '\\S' ? 1 : 0),
    schema.maxLength ?? 200,
  ).replace(/^\s*$/, 'x');
}

function aNumber(random: Random, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): number {
  return random.pick([
    minimum,
    Math.min(minimum + 1, maximum),
    random.between(minimum, Math.min(maximum, minimum + 100)),
    maximum,
  ]);
}

function aList(context: Context, schema: Schema): unknown[] {
  const { minItems = 0 } = schema;
  const usualMax = context.random.chance(0.02) ? 50 : 3;
  const maxItems = Math.max(minItems, Math.min(schema.maxItems ?? usualMax, usualMax));
  const length = context.random.between(minItems, maxItems);
  const items = Array.from({ length }, () => valid(context, schema.items!));
  return schema.uniqueItems ? [...new Set(items)] : items;
}

function anObject(context: Context, { properties = {}, required = [] }: Schema): Record<string, unknown> {
  const share = context.random.pick([0.1, 0.4, 0.9]);
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || context.random.chance(share));
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valid(context, schema, name)]));
}

const keys = [
  'a',
  'metadata',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'ключ',
  'a.b',
  'a[0]',
  '$ref',
  '0',
];

/** Arbitrary JSON for `metadata`, with keys that are dangerous in JavaScript. */
export function someJson(random: Random, depth: number): unknown {
  const entries: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (let count = random.between(0, 3); count > 0; count--) {
    const inner = depth > 0 && random.chance(0.4) ? someJson(random, depth - 1) : random.pick(scalars);
    entries[random.pick(keys)] = random.chance(0.2) ? [inner] : inner;
  }
  return entries;
}

const scalars: unknown[] = ['', 'x', '\0', '\ud800', 0, -0, 1.5, 1e308, 2 ** 53, true, false, null];

const nested = (levels: number, make: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = make(value);
  return value;
};

/** Values that are likely to break something, whatever the schema. None is a URL that could be connected to. */
const hostile: ReadonlyArray<(random: Random) => unknown> = [
  (random) => random.pick(scalars),
  (random) =>
    random.pick([
      '\0',
      'a\0b',
      '\ud800',
      '\udfff\ud800',
      'x'.repeat(100_000),
      '🦜'.repeat(3000),
      '%00',
      '../../etc/passwd',
    ]),
  (random) =>
    random.pick(["'; DROP TABLE agents; --", '{{7*7}}', '${7*7}', '__proto__', 'constructor', 'NaN', 'null', '1e999']),
  (random) => random.pick([-1, 0.1, 2 ** 31, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e21, -1e308, Number.MIN_VALUE]),
  (random) =>
    random.pick([
      'http://10.0.0.1/',
      'https://169.254.169.254/latest',
      'ftp://127.0.0.1/',
      'https://u:p@127.0.0.1/',
      'http://[::1',
      'https://[::ffff:10.0.0.1]/',
      'https://0x7f.1/',
      'javascript:alert(1)',
      'file:///etc/passwd',
    ]),
  (random) => random.pick(['+1', '+', '+999999999999999', '030901820', '+49 30 901820', '٠١٢٣']),
  (random) =>
    random.pick([
      '0000-00-00T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '-271821-04-20T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-03-02T24:00:00Z',
      '2026-03-02T09:00:00+99:99',
      '24:00',
      'Mars/Olympus',
    ]),
  () => [],
  () => ({}),
  () => Array.from({ length: 3000 }, () => 'a'),
  (random) => nested(random.pick([10, 99, 100, 101, 2000]), (inner) => [inner]),
  (random) => nested(random.pick([10, 99, 100, 101, 2000]), (inner) => ({ a: inner })),
  (random) => someJson(random, 4),
];

export const aHostileValue = (random: Random): unknown => random.pick(hostile)(random);

/** Damages a value in one place: replaces a value, removes a field, or adds one. */
export function broken(random: Random, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.15)) return aHostileValue(random);
  const names = Object.keys(value);
  if (Array.isArray(value))
    return names.length === 0
      ? [aHostileValue(random)]
      : value.with(Number(random.pick(names)), broken(random, value[0]));
  const copy: Record<string, unknown> = Object.assign(Object.create(null) as Record<string, unknown>, value);
  const name = names.length === 0 ? 'x' : random.pick(names);
  if (random.chance(0.2)) copy[random.pick([...keys, `${name}_`, name.toUpperCase()])] = aHostileValue(random);
  else if (random.chance(0.25)) delete copy[name];
  else copy[name] = broken(random, copy[name]);
  return copy;
}
