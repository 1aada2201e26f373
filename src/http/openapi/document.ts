import type { Route } from '../../kernel/route.ts';
import { createNamedSchemas } from './named-schemas.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { operation, type Parts } from './operation.ts';
import { errorSchema } from './error-responses.ts';
import { metrics, probeOperations } from './plain-endpoints.ts';
import { tags } from './tags.ts';
import { webhooks } from './webhooks.ts';

type Json = Record<string, unknown>;
export type OpenApiDocument = Json & { paths: Record<string, Record<string, Json>> };

/** Builds the OpenAPI 3.1 document from the route table. `version` is the product's; the API has its own. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const parts: Parts = { namedSchemas: createNamedSchemas(), responses: {} };
  const documented = routes.filter(({ undocumented }) => !undocumented);
  const probes = probeOperations(parts);
  const paths: Record<string, Record<string, Json>> = {
    '/ready': { get: probes.readiness },
    '/livez': { get: probes.liveness },
    '/metrics': { get: metrics(parts) },
  };
  for (const route of documented) {
    (paths[documentedPath(route.path)] ??= {})[route.method.toLowerCase()] = operation(route, parts);
  }
  parts.namedSchemas.reference(errorSchema);
  const usedTags = new Set(['System', ...documented.map((route) => route.tag)]);
  return {
    openapi: '3.1.0',
    info: info(version),
    servers: [{ url: '/' }],
    tags: [...usedTags].toSorted(byRank).map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks: webhooks(parts.namedSchemas),
    components: {
      securitySchemes,
      parameters: requestHeaders,
      headers: responseHeaders,
      responses: parts.responses,
      schemas: parts.namedSchemas.schemas,
    },
  };
}

/** Without a slash at the end, which makes no difference to the server but to many tools. */
const documentedPath = (path: string): string => path.replace(/(?<=.)\/$/, '');

const ranks = Object.keys(tags);
const byRank = (a: string, b: string): number => ranks.indexOf(a) - ranks.indexOf(b);

const info = (version: string): Json => ({
  title: 'parley',
  summary: 'API for voice agents, contacts, outbound campaigns, phone numbers, calendars and webhooks',
  description: `The parley API lets you create voice agents, give them knowledge and phone numbers, and have them call your contacts.

Every response is JSON with \`success\`, \`message\` and \`data\`. Success is always status 200. Paged lists add \
\`meta: {total, limit, offset}\`. Errors carry a \`code\`; a 400 also lists every problem of the request in \`details\`.

Times are ISO 8601 in UTC. Missing optional values are \`null\`. Unknown fields and query parameters are rejected. Requests for \
agents, campaigns and phone numbers accept field names in camelCase and snake_case. A trailing slash in a path makes no difference.`,
  version: '1.0.0',
  'x-parley-version': version,
  contact: { name: 'Whoever operates this server' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
});

const securitySchemes: Json = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'API key of an organization. Its role (viewer, member or admin) decides what it may do.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token, valid for one hour. Create one with an API key: `POST /api/v1/auth/token`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'parley_<installation>',
    description:
      'Session of a browser. Log in with `POST /api/v1/session`, which sets the cookie; its name ends with an id of the installation. ' +
      'Ignored when `X-Api-Key` or `Authorization` is sent, too. Methods other than GET and HEAD also need ' +
      "`Sec-Fetch-Site: same-origin` or this server's `Origin`, which browsers send by themselves.",
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Standard Webhooks 1.0 signature: `v1,` followed by the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`.',
  },
};
