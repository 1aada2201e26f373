import type { RecordedExample } from './examples/recorded.ts';
import { type ExampleRequest, exampleRequestOf } from './examples/request.ts';
import type { Document, Media, Operation, Response } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';

/**
 * The operation's example as a call of the typed client, which has a function for each operation. Undefined where the client has none:
 * live streams, for which it has `watchLive`, and messages that are signed.
 */
export function clientExampleOf(
  document: Document,
  method: string,
  operation: Operation,
  recorded?: RecordedExample,
): string | undefined {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  const answer = answerOf(document, operation);
  if (method === 'WEBHOOK' || schemes.includes('signature') || 'text/event-stream' in answer) return undefined;
  const { params, query, body } = exampleRequestOf(document, operation, recorded);
  const request = [
    ...group('params', params),
    ...group('query', query),
    ...(body ? [`body: ${literalOf(body.value, 1)}`] : []),
  ];
  const given = request.length === 0 ? '' : `, {\n  ${request.join(',\n  ')},\n}`;
  const result = answer['application/json']?.schema.properties?.['data'] ? '{ data }' : 'answer';
  return `const ${result} = await ${operation.operationId}(parley${given});`;
}

const group = (name: string, values: ExampleRequest['params']): string[] =>
  values.length === 0
    ? []
    : [`${name}: { ${values.map(([key, value]) => `${keyOf(key)}: ${literalOf(value, 0)}`).join(', ')} }`];

function answerOf(document: Document, { responses }: Operation): Media {
  const success = responses['200'];
  return (success && resolve<Response>(document, success).content) ?? {};
}

const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** A value as TypeScript. Short objects and lists stand on one line. */
function literalOf(value: unknown, depth: number): string {
  if (typeof value === 'string')
    return `'${value
      .replaceAll('\\', '\\\\')
      .replaceAll("'", String.raw`\'`)
      .replaceAll('\n', String.raw`\n`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Array.isArray(value)
    ? value.map((one) => literalOf(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literalOf(one, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const short = Array.isArray(value) ? entries.join(', ') : ` ${entries.join(', ')} `;
  if (entries.length === 0) return `${open}${close}`;
  if (short.length <= 80 && !short.includes('\n')) return `${open}${short}${close}`;
  const indent = '  '.repeat(depth + 1);
  return `${open}\n${entries.map((entry) => `${indent}${entry},\n`).join('')}${'  '.repeat(depth)}${close}`;
}
