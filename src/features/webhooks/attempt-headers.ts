import type { OutboundResponse } from '../../base/outbound/client.ts';

/** Headers of a request or an answer, as they are kept with an attempt. */
export type Headers = Readonly<Record<string, string>>;

/** Headers with which servers hand out or ask for credentials; people who may look at deliveries need not know them. */
const credentials: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'cookie',
  'authorization',
  'proxy-authorization',
  'x-api-key',
]);

/** Longest JSON of an answer's headers, in UTF-16 code units. */
const maxLength = 4096;

/** The headers of an answer as JSON, without credentials. Those that do not fit into 4 KiB are left out. */
export function keptHeaders(headers: OutboundResponse['headers']): string {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = credentials.has(name) ? '[redacted]' : Array.isArray(value) ? value.join(', ') : value;
    // Not for every name: defining a property costs ten times an assignment, and slows down every later use of the object.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: text, enumerable: true });
    else kept[name] = text;
  }
  const json = JSON.stringify(kept);
  return json.length <= maxLength ? json : JSON.stringify(Object.fromEntries(firstThatFit(Object.entries(kept))));
}

function firstThatFit(headers: ReadonlyArray<[string, string]>): Array<[string, string]> {
  let length = 1;
  const end = headers.findIndex(([name, text]) => {
    length += JSON.stringify(name).length + JSON.stringify(text).length + 2;
    return length > maxLength;
  });
  return headers.slice(0, end === -1 ? headers.length : end);
}
