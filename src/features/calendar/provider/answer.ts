import type { OutboundResponse } from '../../../base/outbound/client.ts';
import { scanJson } from '../../../base/json-scan.ts';
import { redact } from '../../../base/redact.ts';
import type { Static, TSchema } from '../../../kernel/schema.ts';
import { ProviderFailure } from './failure.ts';
import { conforms } from './schemas.ts';

type ProviderResponse = Pick<OutboundResponse, 'statusCode' | 'headers' | 'responseStart'>;
type Json = Record<string, unknown>;

/** Callers see at most this many characters of the provider's own message. */
const maxMessageLength = 300;

/**
 * The `data` of a successful response, `{status: "success", data}`, if it conforms to the schema. Errors come as `{status: "error",
 * timestamp, path, error: {code, message}}`. The key is removed from the provider's message, because a careless provider repeats it.
 * @throws ProviderFailure for any other response
 */
export function dataOf<S extends TSchema>(response: ProviderResponse, schema: S, key: string): Static<S> {
  const { statusCode } = response;
  const body = readJson(response.responseStart);
  const providerMessage = providerMessageOf(body, key);
  const sentence = sentenceOf(`The calendar provider answered ${statusCode}`, providerMessage);
  const options = { statusCode, providerMessage };
  if (statusCode === 401 || statusCode === 403) {
    throw new ProviderFailure(
      'refused',
      sentenceOf(`The calendar provider refuses the key (${statusCode})`, providerMessage),
      options,
    );
  }
  if (statusCode === 429) {
    const retryAfterMs = retryAfterMsOf(response);
    throw new ProviderFailure('failed', sentence, { ...options, temporary: true, retryAfterMs });
  }
  if (statusCode >= 500) throw new ProviderFailure('failed', sentence, { ...options, temporary: true });
  // A 4xx without a JSON body does not come from the API, but from some other server at a wrong address.
  if (statusCode === 404 && body) throw new ProviderFailure('not_found', sentence, options);
  if (statusCode >= 400 && body) throw new ProviderFailure('rejected', sentence, options);
  if (statusCode >= 300) throw new ProviderFailure('failed', sentence, options);
  if (body?.['status'] === 'success' && conforms(schema, body['data'])) return withCutTexts(body['data']);
  throw new ProviderFailure(
    'failed',
    `The calendar provider answered ${statusCode}, but not in the format of Cal.com API v2; check calendar.base_url and calendar.versions.`,
    options,
  );
}

/** Joins a statement and the provider's message, if any, and ends with a full stop, since other sentences may follow. */
export const sentenceOf = (statement: string, providerMessage: string | undefined): string =>
  (providerMessage === undefined ? statement : `${statement}: ${providerMessage}`).replace(/\.?$/, '.');

/** Far more than a person's event types or two months of slots are. What exceeds it is not parsed, since parsing would hold the process. */
const limits = { maxValues: 50_000, maxDepth: 32 };

/** Longer texts are cut, such as the description of an event type: callers see them. */
const maxTextLength = 1000;

function withCutTexts<T>(value: T): T {
  if (typeof value === 'string')
    return (value.length > maxTextLength ? value.slice(0, maxTextLength).toWellFormed() : value) as T;
  if (Array.isArray(value)) return value.map(withCutTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withCutTexts(field)])) as T;
}

/** A JSON object, or undefined for anything else. */
function readJson(text: string): Json | undefined {
  if (scanJson(Buffer.from(text), limits).exceeded !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined; // not JSON; the caller goes by the status code
  }
}

function providerMessageOf(body: Json | undefined, key: string): string | undefined {
  const error = body?.['error'];
  const inner = typeof error === 'object' && error !== null ? (error as Json)['message'] : error;
  const texts = [inner, body?.['message']].filter((text) => typeof text === 'string');
  const message = texts.map((text) => redact(text, [key], '[key]').trim()).find((text) => text !== '');
  return message?.slice(0, maxMessageLength);
}

/** Reads seconds only (RFC 9110, section 10.2.3); a date is further away than any request here waits. */
function retryAfterMsOf({ headers }: ProviderResponse): number {
  const header = headers['retry-after'];
  if (header === undefined) return 0;
  return /^\d+$/.test(header) ? Number(header) * 1000 : Number.POSITIVE_INFINITY;
}
