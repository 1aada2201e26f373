import type { OutboundResponse } from '../../base/outbound/client.ts';

/** Headers of a request or an answer, as they are kept with an attempt. */
export type Headers = Readonly<Record<string, string>>;

/** Headers with which servers hand out or ask for credentials; people who may look at deliveries need not know them. */
const credentials = /^(?:set-cookie2?|cookie|authorization|proxy-authorization|x-api-key)$/i;

/** Longest JSON of an answer's headers, in UTF-16 code units. */
const maxLength = 4096;

/** The headers of an answer, without credentials. Those that do not fit into 4 KiB are left out. */
export function keptHeaders(headers: OutboundResponse['headers']): Headers {
  const kept: Record<string, string> = {};
  let length = 2;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = credentials.test(name) ? '[redacted]' : Array.isArray(value) ? value.join(', ') : value;
    length += JSON.stringify(name).length + JSON.stringify(text).length + 2;
    if (length > maxLength) break;
    // Not for every name: defining a property costs ten times an assignment, and slows down every later use of the object.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: text, enumerable: true });
    else kept[name] = text;
  }
  return kept;
}
