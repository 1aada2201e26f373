import type { Route } from '../../kernel/route.ts';
import { Type, boolean, integer, nullable, object, optional, type TSchema } from '../../kernel/schema.ts';
import { pagedQuery } from '../input/paged-query.ts';
import { type NamedSchemas, withIdDescription } from './named-schemas.ts';
import { exampleOf } from './examples.ts';
import { headerRef, parameterRef, signatureHeaders } from './headers.ts';
import { isIdempotent } from '../idempotency.ts';
import { showsVersion, takesVersion } from '../versions.ts';
import { errorResponses, errorKindsOf } from './error-responses.ts';

type Json = Record<string, unknown>;
export type Parts = { namedSchemas: NamedSchemas; responses: Record<string, Json> };

/** Describes a route as an OpenAPI operation, and adds the components it shares with others to `parts`. */
export function operation(route: Route, parts: Parts): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: whoMay(route),
    security: securityOf(route),
    parameters: parameters(route),
    ...requestBody(route, parts),
    responses: { '200': success(route, parts), ...errorResponses(errorKindsOf(route), parts.responses) },
  };
}

function whoMay({ access, role, verifySignature, lesserRole }: Route): string {
  if (verifySignature) return 'For the voice runtime, which signs its requests.';
  if (access === 'public') return 'Needs no API key and no access token.';
  const rule = `Requires the role \`${role}\`${role === 'admin' ? '' : ' or higher'}.`;
  return lesserRole ? `${rule} ${lesserRole.may}` : rule;
}

function securityOf(route: Route): Json[] {
  if (route.verifySignature) return [{ signature: [] }];
  if (route.access === 'public') return [];
  const accepted = { session: ['session'], bearer: ['bearer', 'session'], any: ['apiKey', 'bearer', 'session'] };
  return accepted[route.access].map((scheme) => ({ [scheme]: [] }));
}

function parameters(route: Route): Json[] {
  const query = route.paged ? pagedQuery(route) : route.query;
  const required = new Set((query?.required as string[] | undefined) ?? []);
  return [
    ...Object.entries(route.params?.properties ?? {}).map(([name, schema]) => pathParameter(name, schema)),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) =>
      queryParameter(name, schema, required.has(name)),
    ),
    ...(route.verifySignature ? signatureHeaders.map(parameterRef) : []),
    ...(isIdempotent(route) ? [parameterRef('IdempotencyKey')] : []),
    ...(takesVersion(route) ? [parameterRef('IfMatch')] : []),
    parameterRef('RequestId'),
  ];
}

function pathParameter(name: string, parameterSchema: TSchema): Json {
  const { description, ...schema } = withIdDescription(parameterSchema as TSchema & { description?: string });
  return { name, in: 'path', required: true, description, schema, example: exampleOf(schema, 'all', name) };
}

function queryParameter(name: string, parameterSchema: TSchema, required: boolean): Json {
  const { description, ...schema } = withIdDescription(parameterSchema as TSchema & { description?: string });
  return { name, in: 'query', required, description, schema, example: exampleOf(schema, 'all', name) };
}

function requestBody(route: Route, { namedSchemas }: Parts): Json {
  const { body, upload, bodyOptional } = route;
  if (body) {
    const schema = namedSchemas.reference(body);
    const example = route.example ?? exampleOf(body, 'required');
    const content = { 'application/json': { schema, example }, ...formContent(route) };
    const { description } = route.formFile ?? {};
    return { requestBody: { required: !bodyOptional, ...(description ? { description } : {}), content } };
  }
  if (!upload) return {};
  const [first, ...others] = upload.contentTypes;
  const file = { type: 'string', contentMediaType: first };
  return {
    requestBody: {
      required: true,
      description: upload.description,
      content: {
        [first]: { schema: { type: 'string' }, example: route.example ?? '' },
        ...Object.fromEntries(others.map((type) => [type, { schema: { contentMediaType: type }, example: '' }])),
        'multipart/form-data': {
          schema: formWith(file),
          encoding: { file: { contentType: upload.contentTypes.join(', ') } },
        },
      },
    },
  };
}

const formWith = (file: Json): Json => ({
  type: 'object',
  properties: { file },
  required: ['file'],
  additionalProperties: false,
});

const formContent = ({ formFile }: Route): Json =>
  formFile
    ? { 'multipart/form-data': { schema: formWith({ type: 'string', contentMediaType: 'application/octet-stream' }) } }
    : {};

function success(route: Route, { namedSchemas }: Parts): Json {
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...(isIdempotent(route) ? { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') } : {}),
    ...(showsVersion(route) ? { ETag: headerRef('Version') } : {}),
    ...(route.session === 'opens' ? { 'Set-Cookie': headerRef('SessionCookie') } : {}),
    ...(route.access === 'public'
      ? {}
      : { RateLimit: headerRef('RateLimit'), 'RateLimit-Policy': headerRef('RateLimitPolicy') }),
  };
  const { download } = route;
  if (download) {
    return {
      description: download.description,
      headers,
      content: Object.fromEntries(
        [download.contentType, ...(download.otherContentTypes ?? [])].map((type) => [
          type,
          { schema: { type: 'string' } },
        ]),
      ),
    };
  }
  const envelope = envelopeOf(route);
  const example = { ...(exampleOf(envelope, 'all') as Json), message: route.message };
  return {
    description: route.message,
    headers,
    content: {
      'application/json': { schema: namedSchemas.reference(envelope), example },
      ...(route.events === undefined
        ? {}
        : { 'text/event-stream': { schema: { type: 'string', description: route.events } } }),
      ...(route.csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    },
  };
}

const pageMeta = object({ total: integer(), limit: integer(), offset: integer() }, { title: 'PageMeta' });

const cursorPageMeta = object(
  {
    limit: integer(),
    total: optional(integer({ description: 'Number of rows in the whole list; only for a page by `offset`' })),
    offset: optional(integer({ description: 'Only for a page by `offset`' })),
    next: optional(
      nullable(
        Type.String({ description: 'Value of `after` for the next page, null at the end; only for a page by `after`' }),
      ),
    ),
  },
  { title: 'CursorPageMeta' },
);

const envelopeOf = (route: Route): TSchema =>
  object({
    success: boolean({ enum: [true] }),
    message: Type.String({ description: 'Human-readable summary of the result' }),
    ...(route.data ? { data: route.data } : {}),
    ...(route.paged ? { meta: route.paged === 'cursor' ? cursorPageMeta : pageMeta } : {}),
  });
