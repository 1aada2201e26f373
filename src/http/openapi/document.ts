import type { Route } from '../../kernel/route.ts';
import { object, oneOf, type TSchema, Type } from '../../kernel/schema.ts';
import { createShapes } from './components.ts';
import { exampleOf } from './examples.ts';
import { headerOf, parameterOf, requestHeaders, responseHeaders } from './headers.ts';
import { operation, type Parts } from './operation.ts';
import { errorSchema } from './refusals.ts';
import { tags } from './tags.ts';
import { webhooks } from './webhooks.ts';

type Json = Record<string, unknown>;
export type OpenApiDocument = Json & { paths: Record<string, Record<string, Json>> };

/** The OpenAPI 3.1 document of the route table (contract, section 1). `info.version` is the interface's. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const parts: Parts = { shapes: createShapes(), responses: {} };
  const documented = routes.filter(({ undocumented }) => !undocumented);
  const paths: Record<string, Record<string, Json>> = { '/ready': { get: readiness }, '/livez': { get: liveness } };
  for (const route of documented) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, parts);
  }
  parts.shapes.reference(errorSchema);
  const used = new Set(['System', ...documented.map((route) => route.tag)]);
  return {
    openapi: '3.1.0',
    info: info(version),
    servers: [{ url: '/' }],
    tags: [...used].toSorted(byRank).map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks: webhooks(parts.shapes),
    components: {
      securitySchemes,
      parameters: requestHeaders,
      headers: responseHeaders,
      responses: parts.responses,
      schemas: parts.shapes.schemas,
    },
  };
}

const ranks = Object.keys(tags);
const byRank = (a: string, b: string): number => ranks.indexOf(a) - ranks.indexOf(b);

const info = (version: string): Json => ({
  title: 'parley',
  summary: 'Voice agents, contacts, outbound campaigns, phone numbers, calendars and webhooks',
  description: `A JSON API of a voice-agent platform.

Answers are \`{success, message, data}\`, paged lists with \`meta: {total, limit, offset}\`, refusals with \`code\` and, on a 400, \
\`details\`: one entry per fault, all faults at once. Success is always 200. Every path works with and without its trailing slash. \
Unknown fields and parameters are faults. Times are ISO 8601 in UTC. Bodies of agents, campaigns and phone numbers take their \
fields in camelCase or snake_case. Optional values that are missing are null.`,
  version: '1.0.0',
  'x-parley-version': version,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
});

const securitySchemes: Json = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A key of one organization with the role viewer, member or admin',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token, made with a key by POST /api/v1/auth/token; valid for an hour',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Standard Webhooks 1.0: v1,<base64 of HMAC-SHA256 over webhook-id, webhook-timestamp and body, joined by full stops>',
  },
};

/** Answered without envelope, in every state (interface, Health). */
const probe = (
  operationId: string,
  summary: string,
  answers: ReadonlyArray<readonly [string, string, TSchema]>,
): Json => ({
  operationId,
  tags: ['System'],
  summary,
  security: [],
  parameters: [parameterOf('RequestId')],
  responses: Object.fromEntries(
    answers.map(([status, description, schema]) => [
      status,
      {
        description,
        headers: { 'X-Request-Id': headerOf('RequestId') },
        content: { 'application/json': { schema, example: exampleOf(schema, 'all') } },
      },
    ]),
  ),
});

const readiness = probe('getReadiness', 'Whether requests are taken', [
  ['200', 'Ready', object({ status: oneOf(['ready']) })],
  ['503', 'Not ready', object({ status: oneOf(['starting', 'draining', 'degraded']), reason: Type.String() })],
]);

const liveness = probe('getLiveness', 'Whether the process lives, whatever its state', [
  ['200', 'It does', object({ status: oneOf(['alive']) })],
]);
