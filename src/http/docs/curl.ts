import type { Document, Operation, Parameter } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A command that sends an operation's example, with the address and the credentials in variables. */
export function curlOf(document: Document, method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map((one) => resolve<Parameter>(document, one));
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((at, { name, example }) => at.replace(`{${name}}`, encodeURIComponent(textOf(example))), path);
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || one.name === 'org_id'))
    .map(({ name, example }) => `${name}=${encodeURIComponent(textOf(example))}`)
    .join('&');
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$PARLEY_URL${filled}${query === '' ? '' : `?${query}`}"`,
    ...credentials(operation),
    ...(media && type !== undefined
      ? [`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(textOf(media.example))}`]
      : []),
  ].join(' \\\n  ');
}

function credentials({ security }: Operation): string[] {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('apiKey')) return ['-H "X-Api-Key: $PARLEY_API_KEY"'];
  if (schemes.includes('bearer')) return ['-H "Authorization: Bearer $PARLEY_TOKEN"'];
  if (!schemes.includes('signature')) return [];
  return ['id', 'timestamp', 'signature'].map((name) => `-H "webhook-${name}: $WEBHOOK_${name.toUpperCase()}"`);
}
