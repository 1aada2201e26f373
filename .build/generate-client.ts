/**
 * Writes the typed client of the whole interface from its OpenAPI document.
 *
 *   node .build/generate-client.ts [--check] [--to clients/typescript/operations.generated.ts]
 *
 * `--check` writes nothing and exits 1 when the file is not what the document would make.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describedRoutes } from '../src/http/routes.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import type { Schema } from '../src/http/openapi/schema.ts';
import { comment, typeOf } from './client-types.ts';

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
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

const root = resolve(import.meta.dirname, '..');

// The product's version is no part of the client: it would change the file at every release.
const document = JSON.parse(JSON.stringify(openApiDocument(describedRoutes({ testClock: true }), ''))) as Document;

/** What every function takes by another name. */
const commonHeaders = ['Idempotency-Key', 'X-Request-Id'];

function parametersOf({ parameters, security }: Operation): Parameter[] {
  const given = parameters.map((one) =>
    '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1)!]! : one,
  );
  const signature: Parameter[] = security.some((one) => 'signature' in one)
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
  return [...given.filter(({ name }) => !commonHeaders.includes(name)), ...signature];
}

/** The fields of a function's request, and whether it can be called without one. */
function requestOf(operation: Operation): { type: string; optional: boolean } {
  const parameters = parametersOf(operation);
  const groups = (
    [
      ['params', 'path'],
      ['query', 'query'],
      ['headers', 'header'],
    ] as const
  ).flatMap(([field, place]) => {
    const ours = parameters.filter((one) => one.in === place);
    if (ours.length === 0) return [];
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(ours.map((one) => [one.name, { ...one.schema, description: one.description }])),
      required: ours.filter((one) => one.required).map((one) => one.name),
    };
    return [{ field, required: schema.required!.length > 0, type: typeOf(schema) }];
  });
  const { requestBody } = operation;
  const body = requestBody
    ? [{ field: 'body', required: requestBody.required, type: bodyType(requestBody.content) }]
    : [];
  const fields = [...groups, ...body];
  const shape = fields.map(({ field, required, type }) => `${field}${required ? '' : '?'}: ${type};`).join('\n');
  return {
    type: fields.length === 0 ? 'CallOptions' : `CallOptions & {\n${shape}\n}`,
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
  if (security.some((one) => 'apiKey' in one)) return 'any';
  return security.some((one) => 'bearer' in one) ? 'bearer' : 'public';
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
    ...(contentType === undefined ? {} : { contentType }),
    answer: answer.reading,
  });
  return `${comment(`${operation.summary}: ${method.toUpperCase()} ${path}`)}export const ${operation.operationId} = (
  client: Client, request${request.optional ? '?' : ''}: ${request.type},
): Promise<${answer.type}> => call(client, ${description}, request);\n\n`;
}

function moduleText(): string {
  const shapes = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error') // a ParleyError, and TypeScript has an Error already
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n\n`);
  const functions = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => functionOf(method, path, operation)),
  );
  return `// Written by .build/generate-client.ts from the OpenAPI document; change the routes and run \`npm run generate\`.
import { type Answer, call, type CallOptions, type Client, type PagedAnswer } from './client.ts';

${shapes.join('')}${functions.join('')}`;
}

/** As oxfmt would have it, so that a change of the interface reads as one in the file's diff. */
function formatted(text: string, file: string): string {
  const oxfmt = join(root, 'node_modules/oxfmt/bin/oxfmt');
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxfmt, `--stdin-filepath=${file}`], {
    input: text,
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`oxfmt: ${stderr}`);
  return stdout;
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    to: { type: 'string', default: join(root, 'clients/typescript/operations.generated.ts') },
  },
});

const wanted = formatted(moduleText(), values.to);
const present = existsSync(values.to) ? readFileSync(values.to, 'utf8').replaceAll('\r\n', '\n') : undefined;
if (present === wanted) {
  console.log(`${values.to} is up to date`);
} else if (values.check) {
  console.error(`${values.to} is not what the routes make: run \`npm run generate\` and commit the result`);
  process.exitCode = 1;
} else {
  writeFileSync(values.to, wanted);
  console.log(`wrote ${values.to}`);
}
