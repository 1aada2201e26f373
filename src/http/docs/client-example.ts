import type { Document, Media, Operation, Parameter, Response } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';

/**
 * The operation's example as a call of the typed client, which has a function for each operation. Undefined where the client has none:
 * live streams, for which it has `watchLive`, and messages that are signed.
 */
export function clientExampleOf(document: Document, method: string, operation: Operation): string | undefined {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  const answer = answerOf(document, operation);
  if (method === 'WEBHOOK' || schemes.includes('signature') || 'text/event-stream' in answer) return undefined;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const valuesIn = (place: Parameter['in'], all: boolean): string[] =>
    parameters
      .filter((one) => one.in === place && (all || one.required))
      .map(({ name, example }) => `${keyOf(name)}: ${literalOf(example, 0)}`);
  const group = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name}: { ${values.join(', ')} }`];
  const request = [
    ...group('params', valuesIn('path', true)),
    ...group('query', valuesIn('query', false)),
    ...bodyOf(operation),
  ];
  const given = request.length === 0 ? '' : `, {\n  ${request.join(',\n  ')},\n}`;
  const result = answer['application/json']?.schema.properties?.['data'] ? '{ data }' : 'answer';
  return `const ${result} = await ${operation.operationId}(parley${given});`;
}

function bodyOf({ requestBody }: Operation): string[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || media === undefined || media.example === undefined) return [];
  return [`body: ${literalOf(media.example, 1)}`];
}

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
