/**
 * Generates the typed client from the OpenAPI document.
 *
 *   node .build/generate-client.ts [--check]
 *
 * `--check` writes nothing and exits with 1 if the file is out of date.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describedRoutes } from '../src/http/routes.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import type { Schema } from '../src/http/openapi/schema.ts';
import { comment, typeOf } from './client-types.ts';
import { formatted, writeModule } from './generated-module.ts';

type Parameter = { name: string; in: string; required: boolean; description: string; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  summary: string;
  security: Array<Record<string, unknown>>;
  parameters: Array<Parameter | { $ref: string }>;
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Content } } }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

// Without the product's version, which would change the generated file with every release.
const document = JSON.parse(JSON.stringify(openApiDocument(describedRoutes({ testClock: true }), ''))) as Document;

/** Headers that every function takes as options instead. */
const commonHeaders = ['Idempotency-Key', 'If-Match', 'X-Request-Id'];

function parametersOf({ parameters, security }: Operation): Parameter[] {
  const resolved = parameters.map((parameter) =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  );
  const signature: Parameter[] = security.some((requirement) => 'signature' in requirement)
    ? [
        {
          name: 'webhook-signature',
          in: 'header',
          required: true,
          description: 'v1,<signature>',
          schema: { type: 'string' },
        },
      ]
    : [];
  return [...resolved.filter(({ name }) => !commonHeaders.includes(name)), ...signature];
}

/** The type of a function's request, and whether the request can be omitted. */
function requestOf(operation: Operation): { type: string; optional: boolean } {
  const parameters = parametersOf(operation);
  const groups = (
    [
      ['params', 'path'],
      ['query', 'query'],
      ['headers', 'header'],
    ] as const
  ).flatMap(([field, location]) => {
    const inLocation = parameters.filter((parameter) => parameter.in === location);
    if (inLocation.length === 0) return [];
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(
        inLocation.map(({ name, schema: parameterSchema, description }) => [name, { ...parameterSchema, description }]),
      ),
      required: inLocation.filter(({ required }) => required).map(({ name }) => name),
    };
    return [{ field, required: schema.required!.length > 0, type: typeOf(schema) }];
  });
  const { requestBody } = operation;
  const body = requestBody
    ? [{ field: 'body', required: requestBody.required, type: bodyType(requestBody.content) }]
    : [];
  const fields = [...groups, ...body];
  const members = fields.map(({ field, required, type }) => `${field}${required ? '' : '?'}: ${type};`).join('\n');
  return {
    type: fields.length === 0 ? 'CallOptions' : `CallOptions & {\n${members}\n}`,
    optional: fields.every(({ required }) => !required),
  };
}

const bodyType = (content: Content): string => {
  const json = content['application/json'];
  if (!json) return 'string | Blob | ArrayBuffer';
  return content['multipart/form-data'] ? `${typeOf(json.schema)} | FormData` : typeOf(json.schema);
};

function answerOf({ responses }: Operation): { type: string; reading: 'enveloped' | 'bare' | 'text' } {
  const json = responses['200']!.content?.['application/json'];
  if (!json) return { type: 'Answer<string>', reading: 'text' };
  const { properties = {} } = json.schema;
  if (!properties['success']) return { type: typeOf(json.schema), reading: 'bare' };
  const data = properties['data'] ? typeOf(properties['data']) : 'undefined';
  return { type: `${properties['meta'] ? 'PagedAnswer' : 'Answer'}<${data}>`, reading: 'enveloped' };
}

function accessOf({ security }: Operation): 'public' | 'any' | 'bearer' {
  if (security.some((requirement) => 'apiKey' in requirement)) return 'any';
  return security.some((requirement) => 'bearer' in requirement) ? 'bearer' : 'public';
}

function functionOf(method: string, path: string, operation: Operation): string {
  const request = requestOf(operation);
  const answer = answerOf(operation);
  const types = Object.keys(operation.requestBody?.content ?? {});
  const contentType = types.length > 0 && !types.includes('application/json') ? types[0] : undefined;
  const description = JSON.stringify({
    method: method.toUpperCase(),
    path,
    access: accessOf(operation),
    ...(isKeyed(operation) ? { keyed: true } : {}),
    ...(contentType === undefined ? {} : { contentType }),
    answer: answer.reading,
  });
  return `${comment(`${operation.summary}: ${method.toUpperCase()} ${path}`)}export const ${operation.operationId} = (
  client: Client, request${request.optional ? '?' : ''}: ${request.type},
): Promise<${answer.type}> => call(client, ${description}, request);\n\n`;
}

const isKeyed = ({ parameters }: Operation): boolean =>
  parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey'));

/** Whether an operation answers with a stream and nothing else; its function is written by hand (clients/typescript/live.ts). */
const isStream = ({ responses }: Operation): boolean => {
  const { content = {} } = responses['200']!;
  return 'text/event-stream' in content && !('application/json' in content);
};

/** The type of each event that webhooks are sent for, by its name, and of any of them. */
function eventTypes(): string {
  const members = Object.entries(document.webhooks).map(
    ([name, { post }]) =>
      `${comment(post.summary)}${JSON.stringify(name)}: ${typeOf(post.requestBody.content['application/json']!.schema)};`,
  );
  return `${comment('The body of each type of event')}export type WebhookEvents = {\n${members.join('\n')}\n};

${comment('Any event; its field `event` tells the type')}export type WebhookEvent = WebhookEvents[keyof WebhookEvents];\n\n`;
}

function moduleText(): string {
  const schemaTypes = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error') // errors are thrown as ParleyError, and the name would hide the global Error
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n\n`);
  const functions = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => !isStream(operation))
      .map(([method, operation]) => functionOf(method, path, operation)),
  );
  return `// Generated by .build/generate-client.ts from the OpenAPI document. Do not edit: change the routes and run \`npm run generate\`.
import { type Answer, call, type CallOptions, type Client, type PagedAnswer } from './client.ts';

${schemaTypes.join('')}${eventTypes()}${functions.join('')}`;
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const path = join(import.meta.dirname, '../clients/typescript/operations.generated.ts');
writeModule(path, formatted(moduleText(), path), { source: 'the routes', check: values.check });
