import type { Route } from '../kernel/route.ts';
import { boolean, integer, list, object, oneOf, optional, Type, type TSchema } from '../kernel/schema.ts';
import { pagedQuery } from './paged-query.ts';

type Json = Record<string, unknown>;

const errorStatuses = {
  '400': 'A fault in path, query or body; `details` lists all of them',
  '401': 'No key or token, or one that is unknown, revoked or expired',
  '403': 'The role of the key or token may not do this',
  '404': 'Nothing matches, or it belongs to another organization',
  '409': 'Not possible in the present state',
  '413': 'The body is too large',
  '415': 'The body has another content type',
  '422': 'The Idempotency-Key was used with another request',
  '429': 'Too many requests; see Retry-After',
  '500': 'Unexpected; the message names the request',
  '503': 'Starting, draining, or the storage refuses writes',
};

const errorSchema = object({
  success: boolean(),
  message: Type.String(),
  code: optional(Type.String()),
  details: optional(list(object({ path: Type.String(), message: Type.String() }))),
});

/** The OpenAPI 3.1 document of the route table (contract, section 1). `info.version` is the interface's. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  paths['/ready'] = { get: readiness };
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'parley',
      version: '1.0.0',
      'x-parley-version': version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map((route) => route.tag), 'System'])].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description: 'Standard Webhooks 1.0, with webhook-id and webhook-timestamp',
        },
      },
      schemas: { Error: errorSchema },
      responses: Object.fromEntries(
        Object.entries(errorStatuses).map(([status, description]) => [
          `E${status}`,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}

/** Not a row of the table: it is answered without envelope, in every state (interface, Health). */
const readiness: Json = {
  operationId: 'getReadiness',
  tags: ['System'],
  summary: 'Whether requests are taken',
  security: [],
  responses: Object.fromEntries(
    [
      ['200', 'Ready', object({ status: oneOf(['ready']) })] as const,
      [
        '503',
        'Not ready',
        object({ status: oneOf(['starting', 'draining', 'degraded']), reason: Type.String() }),
      ] as const,
    ].map(([status, description, schema]) => [status, { description, content: { 'application/json': { schema } } }]),
  ),
};

function operation(route: Route): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    security: securityOf(route),
    parameters: parameters(route),
    ...requestBody(route),
    responses: {
      '200': success(route),
      ...Object.fromEntries(
        Object.keys(errorStatuses)
          .filter((status) => status !== '422' || mayBeOnce(route))
          .map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
      ),
    },
  };
}

function requestBody({ body, bodyOptional, upload }: Route): Json {
  if (body) return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema: body } } } };
  if (!upload) return {};
  const form = object({ file: Type.String({ contentMediaType: upload.contentType }) });
  return {
    requestBody: {
      required: true,
      description: upload.description,
      content: { [upload.contentType]: { schema: Type.String() }, 'multipart/form-data': { schema: form } },
    },
  };
}

function success(route: Route): Json {
  const { download } = route;
  if (!download) return { description: route.message, content: { 'application/json': { schema: envelopeOf(route) } } };
  return { description: download.description, content: { [download.contentType]: { schema: Type.String() } } };
}

function securityOf(route: Route): Json[] {
  if (route.signature) return [{ signature: [] }];
  if (route.access === 'public') return [];
  return route.access === 'bearer' ? [{ bearer: [] }] : [{ apiKey: [] }, { bearer: [] }];
}

function parameters(route: Route): Json[] {
  const query = route.paged ? pagedQuery(route.query) : route.query;
  const required = new Set((query?.required as string[] | undefined) ?? []);
  return [
    ...Object.entries(route.params?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema,
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.has(name),
      schema,
    })),
    ...(mayBeOnce(route) ? [idempotencyKey] : []),
  ];
}

const mayBeOnce = (route: Route): boolean => route.method === 'POST' && route.access !== 'public';

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same request with the same key within 24 hours happens once and answers the same',
  schema: Type.String({ minLength: 1, maxLength: 255 }),
};

function envelopeOf(route: Route): TSchema {
  return object({
    success: boolean(),
    message: Type.String(),
    ...(route.data ? { data: route.data } : {}),
    ...(route.paged ? { meta: object({ total: integer(), limit: integer(), offset: integer() }) } : {}),
  });
}
