import type { RecordedExample } from './examples/recorded.ts';
import { exampleRequestOf } from './examples/request.ts';
import type { Document, Operation } from './openapi-types.ts';

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A curl command that sends the operation's example; URL and credentials come from shell variables. */
export function curlOf(
  document: Document,
  method: string,
  path: string,
  operation: Operation,
  recorded?: RecordedExample,
): string {
  const { params, query, body } = exampleRequestOf(document, operation, recorded);
  const filled = params.reduce(
    (result, [name, value]) => result.replace(`{${name}}`, encodeURIComponent(textOf(value))),
    path,
  );
  const pairs = query.flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(textOf(one))}`),
  );
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$PARLEY_URL${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}"`,
    ...credentials(operation),
    ...(body
      ? [`-H ${shellQuote(`Content-Type: ${body.type}`)}`, `--data-binary ${shellQuote(textOf(body.value))}`]
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
