import { randomUUID } from 'node:crypto';
import type { Route } from '../../src/kernel/route.ts';

type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minLength?: number;
  minimum?: number;
  description?: string;
};

/** A valid value for each format of wire schemas. */
const byFormat: Readonly<Record<string, () => string>> = {
  uuid: () => randomUUID(),
  e164: () => '+4930901820',
  email: () => 'ada@example.com',
  'date-time': () => '2026-03-02T09:00:00Z',
  'local-date-time': () => '2026-03-02T09:00',
  'local-date-or-time': () => '2026-03-02T00:00',
  country: () => 'DE',
  'time-zone': () => 'Europe/Berlin',
  'time-of-day': () => '09:00',
  'termination-uri': () => 'sip.example.com',
};

/** A value that conforms to a wire schema, with only its required fields. */
function minimal(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, minimal(schema.properties![name]!)]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => minimal(schema.items!));
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return schema.format === undefined ? 'x'.repeat(schema.minLength ?? 1) : byFormat[schema.format]!();
  }
}

/** Valid bodies of operations that need more than the schema's required fields. */
const bodiesBeyondSchema: Readonly<Record<string, unknown>> = {
  addCampaignContacts: { contacts: [{ phone: '+4930901820' }] },
  addKnowledgeSources: { knowledge_base_texts: [{ title: 'x', text: 'x' }] },
  addDoNotCall: { phone: '+4930901820' },
  advanceTestClock: { ms: 0 },
  sendCallDigits: { digits: '1#' },
};

/** A valid body for a route; undefined if it takes none. */
export const bodyFor = (route: Route): unknown =>
  route.body && (bodiesBeyondSchema[route.operationId] ?? minimal(route.body));

export type Param = { name: string; title: string; isUuid: boolean; isPhone: boolean };

export const paramsOf = (route: Route): Param[] =>
  Object.entries((route.params?.properties ?? {}) as Record<string, Schema>).map(([name, schema]) => ({
    name,
    title: schema.description ?? name,
    isUuid: schema.format === 'uuid',
    isPhone: schema.format === 'e164',
  }));

/** The route's path with its placeholders filled in: from `values`, else with a phone number or a random id. */
export function pathFor(route: Route, values: Readonly<Record<string, string>> = {}): string {
  const params = new Map(paramsOf(route).map((param) => [param.name, param]));
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? (params.get(name)?.isPhone ? '+4930901820' : randomUUID())),
  );
}
