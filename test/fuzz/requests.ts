import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import type { OpenApiDocument } from '../support/openapi.ts';
import type { Schema } from '../../src/http/openapi/schema.ts';
import { aHostileValue, broken, type Context, someText, valid } from './values.ts';

export type Operation = {
  operationId: string;
  method: string;
  path: string;
  security: Array<Record<string, unknown>>;
  parameters: Array<{ name: string; in: string; required: boolean; description: string; schema: Schema }>;
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
};

export type Request = {
  operation: Operation;
  method: string;
  /** The encoded path with its query string. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** The body as a JSON value, if it can be validated against the schema. */
  value?: { json: unknown };
  /** Whether the request is meant to be valid. */
  isMeantValid: boolean;
};

/** The secret with which the voice runtime signs. */
export const carrierSecret = 'a secret of the voice runtime';

/** API keys of each role, an admin's access token, and a session. */
export type Credentials = {
  admin: string;
  viewer: string;
  member: string;
  token: string;
  /** The headers of a browser with a session, and with what its person logs in. */
  session: { headers: Readonly<Record<string, string>>; email: string; password: string };
};

/** The operations of an OpenAPI document, with parameter references resolved. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const resolved = (value: { $ref?: string }) => {
    if (value.$ref === undefined) return value;
    let target: unknown = document;
    for (const part of value.$ref.split('/').slice(1)) target = (target as Record<string, unknown>)[part];
    return target;
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...(operation as unknown as Operation),
      method: method.toUpperCase(),
      path,
      parameters: ((operation['parameters'] ?? []) as Array<{ $ref?: string }>).map(
        resolved,
      ) as Operation['parameters'],
    })),
  );
}

/** Kinds of requests; listing one several times makes it more frequent. */
const intents = [
  'valid',
  'valid',
  'valid',
  'valid',
  'broken',
  'broken',
  'broken',
  'hostile',
  'raw',
  'misplaced',
] as const;

export function aRequest(context: Context, operation: Operation, credentials: Credentials): Request {
  const { random } = context;
  const intent = random.pick(intents);
  const hostilePath = intent === 'misplaced' && random.chance(0.5);
  const headers = headersFor(context, operation, credentials, intent === 'raw' || intent === 'misplaced');
  const path = pathFor(context, operation, hostilePath);
  const { body, value, type } = bodyFor(context, operation, path, intent, credentials);
  if (type !== undefined) headers['content-type'] = type;
  if (operation.security.some((one) => 'signature' in one) && random.chance(0.9)) {
    Object.assign(headers, signed(String(body ?? ''), context.pools.now()));
  }
  const isElsewhere = intent === 'misplaced' && random.chance(0.2);
  return {
    operation,
    method: isElsewhere ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) : operation.method,
    path: path + queryFor(context, operation, intent !== 'valid' && random.chance(0.4)),
    headers,
    body,
    ...(value ? { value } : {}),
    isMeantValid: intent === 'valid',
  };
}

const signed = (body: string, nowMs: number): Record<string, string> =>
  signatureHeaders([carrierSecret], { id: 'evt_1', timestampSec: Math.floor(nowMs / 1000), body });

const hostileSegments = [
  '..',
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%ed%a0%80',
  ';',
  '__proto__',
  'constructor',
  'x'.repeat(3000),
  '%2F',
  '*',
  '%F0%9F%A6%9C',
  '-1',
  'null',
  '%2B',
];

function pathFor(context: Context, { path, parameters, operationId }: Operation, isHostile: boolean): string {
  const { random, pools } = context;
  const pair = pools.pick(`${/\{(note|source)_id\}/.exec(path)?.[1]} of its parent`)?.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (isHostile && random.chance(0.7)) return random.pick(hostileSegments);
    if (pair && random.chance(0.9)) return pair[/^(?:note|source)_id$/.test(name) ? 1 : 0]!;
    if (operationId === 'redialCampaign' && random.chance(0.5)) return pools.pick('completed campaign') ?? 'none';
    const { schema, description } = parameters.find((one) => one.in === 'path' && one.name === name)!;
    return encodeURIComponent(String(valid(context, { ...schema, description }, name)));
  });
  const slash = random.chance(0.1) ? (filled.endsWith('/') ? filled.slice(0, -1) : `${filled}/`) : filled;
  return isHostile && random.chance(0.3) ? `${slash}/${random.pick(hostileSegments)}` : slash;
}

function queryFor(context: Context, { parameters }: Operation, isHostile: boolean): string {
  const { random } = context;
  const chosen = parameters.filter(
    (one) => one.in === 'query' && (one.required || ['org_id', 'doc_id'].includes(one.name) || random.chance(0.15)),
  );
  const parts = chosen.flatMap(({ name, schema, description }) => {
    const value = isHostile
      ? aHostileValue(random)
      : (meaningfulValues[name]?.(context) ?? valid(context, { ...schema, description }, name));
    // A parameter with a list is repeated.
    const values = schema.type === 'array' && Array.isArray(value) ? value : [value];
    return values.map((each: unknown) => {
      const text = typeof each === 'string' ? each : JSON.stringify(each);
      return `${name}=${encodeURIComponent(text.slice(0, random.chance(0.05) ? 4000 : 200).toWellFormed())}`;
    });
  });
  if (isHostile)
    parts.push(
      random.pick([
        'limit=-1',
        'limit=1e3',
        'offset=9007199254740993',
        '__proto__=1',
        '__proto__[a]=1',
        'a[b]=c',
        '%=%',
        '&&&',
        'q=%00',
        'q=%ff',
        `x=${'y'.repeat(4000)}`,
        'limit=1&limit=2',
      ]),
    );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Values of parameters that are plain strings in the document, but accept only meaningful text. */
const meaningfulValues: Readonly<Record<string, (context: Context) => unknown>> = {
  start: ({ pools }) => new Date(pools.now()).toISOString().slice(0, 10),
  doc_id: ({ pools }) => pools.pick('document') ?? 'unheard of',
  topic: ({ pools, random }) => [
    random.pick(['overview', 'calls', 'deliveries']),
    ...(random.chance(0.5) ? [`campaign:${pools.pick('campaign')}`, `knowledge:${pools.pick('knowledge base')}`] : []),
  ],
  after: ({ pools }) => pools.pick('cursor') ?? '',
  mapping: ({ random }) => random.pick(['{"shoe size":"metadata.size"}', '{"phone":null}', '{}']),
  end: ({ pools, random }) => new Date(pools.now() + random.between(0, 10) * 86_400_000).toISOString().slice(0, 10),
};

function headersFor(
  context: Context,
  operation: Operation,
  credentials: Credentials,
  isOdd: boolean,
): Record<string, string> {
  const { random } = context;
  const headers: Record<string, string> = {};
  const isPublic = operation.security.length === 0;
  const sessionOnly = !isPublic && operation.security.every((one) => 'session' in one);
  const bearerOnly = !isPublic && operation.security.every((one) => !('apiKey' in one) && !('signature' in one));
  if (isOdd && random.chance(0.3)) {
    Object.assign(
      headers,
      random.pick([
        {},
        { 'x-api-key': 'pk_nothing' },
        { 'x-api-key': credentials.viewer },
        { 'x-api-key': credentials.member },
        { authorization: 'Bearer x.y.z' },
        { authorization: `Bearer ${credentials.token}x` },
        { authorization: 'Basic eDp5' },
        { 'x-api-key': 'x'.repeat(5000) },
      ]),
    );
  } else if (sessionOnly || random.chance(0.05)) Object.assign(headers, credentials.session.headers);
  else if (bearerOnly || random.chance(0.1)) headers['authorization'] = `Bearer ${credentials.token}`;
  else headers['x-api-key'] = credentials.admin;
  if (operation.method === 'POST' && random.chance(0.1)) headers['idempotency-key'] = `key-${random.between(1, 40)}`;
  if (isOdd && random.chance(0.3))
    headers['idempotency-key'] = random.pick(['', ' ', 'é', 'x'.repeat(300), '__proto__']);
  if (random.chance(0.05)) headers['x-request-id'] = random.pick(['a', 'x'.repeat(200), 'é', '{}', '__proto__']);
  if (isOdd && random.chance(0.1)) headers['content-encoding'] = random.pick(['gzip', 'br', 'deflate', 'x']);
  if (isOdd && random.chance(0.1)) headers['accept'] = 'text/plain';
  return headers;
}

const oddBodies = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"a":1e999}',
  `{"a":${'9'.repeat(5000)}}`,
  '['.repeat(50_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}',
  '{"first_name":"a","first_name":"b"}',
  '{"metadata":{"a":1.0,"b":12345678901234567890,"__proto__":{"x":1}}}',
  '{"a":"\\ud800","b":"\\u0000"}',
  '\ufeff{}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
];
const oddTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/vnd.api+json',
  'text/csv',
  '/',
  'application/json;;;',
];

type Body = { body: string | Buffer | undefined; type?: string; value?: { json: unknown } };

function bodyFor(
  context: Context,
  operation: Operation,
  path: string,
  intent: (typeof intents)[number],
  credentials: Credentials,
): Body {
  const { random } = context;
  const { requestBody } = operation;
  if (intent === 'raw') {
    const type = random.chance(0.6) ? 'application/json' : random.pick(oddTypes);
    return { body: random.pick(oddBodies), type };
  }
  if (!requestBody) return { body: undefined };
  if (!requestBody.required && random.chance(0.3)) return { body: undefined };
  if ('text/csv' in requestBody.content) return aFile(context, intent);
  const made = valid(context, requestBody.content['application/json']!.schema);
  const good = { ...(made as object), ...fieldsBeyondSchema(context, operation, path, credentials) };
  const json =
    intent === 'broken'
      ? broken(random, good)
      : intent === 'hostile'
        ? broken(random, broken(random, broken(random, good)))
        : good;
  const sent = withShortAdvance(operation, context, json);
  return { body: JSON.stringify(sent), type: 'application/json', value: { json: sent } };
}

/** Fields that a valid request needs beyond what the schema says. */
function fieldsBeyondSchema(
  { random, pools }: Context,
  { operationId }: Operation,
  path: string,
  credentials: Credentials,
): object {
  if (operationId === 'createCalendarBooking') return { start: pools.freeSlot() };
  if (['logIn', 'createSession'].includes(operationId) && random.chance(0.5)) {
    return { email: credentials.session.email, password: credentials.session.password };
  }
  if (operationId === 'changePassword' && random.chance(0.5)) return { current_password: credentials.session.password };
  if (operationId === 'setUp') {
    const [token, email] = pools.pick('invitation')?.split(' ') ?? [];
    return token === undefined ? {} : { token, email };
  }
  if (operationId === 'addKnowledgeSources') return { knowledge_base_urls: undefined };
  return ['reportCallEvent', 'queryCallKnowledge'].includes(operationId)
    ? { call_session_id: /calls\/([^/]+)/.exec(path)?.[1] }
    : {};
}

/** Shortens large steps of the test clock: a century would run every nightly job in one request. */
function withShortAdvance({ operationId }: Operation, { random, pools }: Context, body: unknown): unknown {
  if (operationId !== 'advanceTestClock' || body === null || typeof body !== 'object') return body;
  const { ms, to } = body as { ms?: unknown; to?: unknown };
  const maxAdvanceMs = 100 * 366 * 86_400_000;
  if (typeof ms === 'number' && ms > 86_400_000 && ms <= maxAdvanceMs)
    return { ms: random.pick([1, 60_000, 3_600_000, 86_400_000]) };
  if (typeof to === 'string' && Date.parse(to) > pools.now() + 3 * 86_400_000)
    return { to: new Date(pools.now() + 60_000).toISOString() };
  return body;
}

function aFile(context: Context, intent: string): Body {
  const { random, pools } = context;
  const cell = (): string => {
    const text = random.pick([
      random.pick(pools.phones),
      '',
      'Ada',
      someText(random, 0, 30),
      '=1+1',
      '{"a":1}',
      '"',
      'true',
    ]);
    return random.chance(0.5) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = ['phone', 'first_name', 'email', 'metadata', 'do_not_call', 'shoe size', '__proto__'].slice(
    0,
    random.between(1, 7),
  );
  const rows = Array.from({ length: random.between(0, 20) }, () => header.map(cell).join(','));
  const csv = [header.join(','), ...rows].join(random.pick(['\n', '\r\n']));
  const body =
    intent === 'valid'
      ? csv
      : random.pick([
          csv,
          csv.replace('\n', '\0\n'),
          Buffer.from([0xff, 0xfe, 0x00]),
          '',
          'x,x\n1,2',
          '"open',
          `${'a,'.repeat(2000)}\n`,
        ]);
  if (random.chance(0.7)) return { body, type: 'text/csv' };
  const part = `--b\r\ncontent-disposition: form-data; name="${intent === 'valid' ? 'file' : random.pick(['file', 'files', ''])}"; filename="x.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(part), Buffer.from(body), Buffer.from('\r\n--b--\r\n')]),
    type: 'multipart/form-data; boundary=b',
  };
}
