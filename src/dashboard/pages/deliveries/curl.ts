import type { WebhookDeliveryInDetail } from '../../client.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Headers that curl sets itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** The delivery as a shell command, with the headers of the last attempt as far as they were kept. */
export function curlOf({
  url,
  payload,
  attempts,
}: Pick<WebhookDeliveryInDetail, 'url' | 'payload' | 'attempts'>): string {
  const sent = attempts.findLast(({ request_headers: headers }) => headers !== null)?.request_headers;
  const headers = Object.entries(sent ?? { 'content-type': 'application/json' }).filter(
    ([name]) => !ownHeaders.has(name.toLowerCase()),
  );
  const lines = [
    `curl -X POST ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(payload))}`,
  ];
  return lines.join(' \\\n  ');
}
