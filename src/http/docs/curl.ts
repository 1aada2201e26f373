import type { Document, Operation, Parameter } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A curl command that sends the operation's example; URL and credentials come from shell variables. */
export function curlOf(document: Document, method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((result, { name, example }) => result.replace(`{${name}}`, encodeURIComponent(textOf(example))), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'org_id'))
    .map(({ name, example }) => `${name}=${encodeURIComponent(textOf(example))}`)
    .join('&');
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$PARLEY_URL${filled}${query === '' ? '' : `?${query}`}"`,
    ...credentials(operation),
    ...(media && type !== undefined
      ? [`-H ${shellQuote(`Content-Type: ${type}`)}`, `--data-binary ${shellQuote(textOf(media.example))}`]
      : []),
  ].join(' \\\n  ');
}

function credentials({ security }: Operation): string[] {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.includes('apiKey')) return ['-H "X-Api-Key: $PARLEY_API_KEY"'];
  if (schemes.includes('bearer')) return ['-H "Authorization: Bearer $PARLEY_TOKEN"'];
  if (schemes.includes('session')) return ['-b "$PARLEY_COOKIE" -H "Origin: $PARLEY_URL"'];
  if (!schemes.includes('signature')) return [];
  return ['id', 'timestamp', 'signature'].map((name) => `-H "webhook-${name}: $WEBHOOK_${name.toUpperCase()}"`);
}
