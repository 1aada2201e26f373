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
  minimum?: number;
  description?: string;
};

/** Values of the formats that wire schemas name. */
const byFormat: Readonly<Record<string, () => string>> = {
  uuid: () => randomUUID(),
  e164: () => '+4930901820',
  email: () => 'ada@example.com',
  'date-time': () => '2026-03-02T09:00:00Z',
  'local-date-time': () => '2026-03-02T09:00',
  'time-zone': () => 'Europe/Berlin',
  'time-of-day': () => '09:00',
  'termination-uri': () => 'sip.example.com',
};

/** A value that satisfies a wire schema, with its required fields only. */
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
      return schema.format === undefined ? 'x' : byFormat[schema.format]!();
  }
}

/** Bodies of operations in which a rule beside the schema asks for more. */
const bodies: Readonly<Record<string, unknown>> = {
  addCampaignContacts: { contacts: [{ phone: '+4930901820' }] },
  addKnowledgeSources: { knowledge_base_texts: [{ title: 'x', text: 'x' }] },
  addDoNotCall: { phone: '+4930901820' },
  advanceTestClock: { ms: 0 },
};

/** A body that a route finds no fault with, undefined when it takes none. */
export const bodyFor = (route: Route): unknown => route.body && (bodies[route.operationId] ?? minimal(route.body));

export type Param = { name: string; title: string; isUuid: boolean; isPhone: boolean };

export const paramsOf = (route: Route): Param[] =>
  Object.entries((route.params?.properties ?? {}) as Record<string, Schema>).map(([name, schema]) => ({
    name,
    title: schema.description ?? name,
    isUuid: schema.format === 'uuid',
    isPhone: schema.format === 'e164',
  }));

/** The route's path with its parameters filled in, random ids and a telephone number unless told otherwise. */
export function pathFor(route: Route, fill: Readonly<Record<string, string>> = {}): string {
  const params = new Map(paramsOf(route).map((param) => [param.name, param]));
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(fill[name] ?? (params.get(name)?.isPhone ? '+4930901820' : randomUUID())),
  );
}
