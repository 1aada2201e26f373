import type { OutboundResponse } from '../../../base/outbound/client.ts';
import type { Static, TSchema } from '../../../kernel/schema.ts';
import { ProviderFailure } from './failure.ts';
import { conforms } from './schemas.ts';

type Answered = Pick<OutboundResponse, 'statusCode' | 'headers' | 'responseStart'>;
type Json = Record<string, unknown>;

/** What is shown of the provider's own words. */
const longestWords = 300;

/**
 * The data of an answer: `{status: "success", data}` with data as the schema says. Errors come as `{status: "error", timestamp, path,
 * error: {code, message}}`. The key is cut out of whatever the provider says, since a careless one repeats it.
 * @throws ProviderFailure
 */
export function dataOf<S extends TSchema>(answer: Answered, schema: S, key: string): Static<S> {
  const { statusCode } = answer;
  const body = readJson(answer.responseStart);
  const said = wordsOf(body, key);
  const sentence = sentenceOf(`The calendar provider answered ${statusCode}`, said);
  const options = { statusCode, said };
  if (statusCode === 401 || statusCode === 403) {
    throw new ProviderFailure(
      'refused',
      sentenceOf(`The calendar provider refuses the key (${statusCode})`, said),
      options,
    );
  }
  if (statusCode === 429) {
    throw new ProviderFailure('failed', sentence, { ...options, passing: true, retryAfterMs: retryAfterMsOf(answer) });
  }
  if (statusCode >= 500) throw new ProviderFailure('failed', sentence, { ...options, passing: true });
  // Without a JSON body it is not the API that answers, but something else at a wrong address.
  if (statusCode === 404 && body) throw new ProviderFailure('not_found', sentence, options);
  if (statusCode >= 400 && body) throw new ProviderFailure('rejected', sentence, options);
  if (statusCode >= 300) throw new ProviderFailure('failed', sentence, options);
  if (body?.['status'] === 'success' && conforms(schema, body['data'])) return body['data'];
  throw new ProviderFailure(
    'failed',
    `The calendar provider answered ${statusCode}, but not with what Cal.com API v2 answers; see calendar.base_url and calendar.versions.`,
    options,
  );
}

/** Ends with a stop whatever the provider said: others follow it in a message. */
const sentenceOf = (fact: string, said: string | undefined): string =>
  (said === undefined ? fact : `${fact}: ${said}`).replace(/\.?$/, '.');

/** A JSON object, or undefined for anything else. */
function readJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined; // not JSON: the status alone speaks
  }
}

function wordsOf(body: Json | undefined, key: string): string | undefined {
  const error = body?.['error'];
  const inner = typeof error === 'object' && error !== null ? (error as Json)['message'] : error;
  const texts = [inner, body?.['message']].filter((text) => typeof text === 'string');
  const words = texts.map((text) => withoutKey(text, key).trim()).find((text) => text !== '');
  return words?.slice(0, longestWords);
}

const withoutKey = (text: string, key: string): string => text.replaceAll(key, '[key]');

/** In seconds only (RFC 9110, section 10.2.3): a date is further away than anybody waits here. */
function retryAfterMsOf({ headers }: Answered): number {
  const given = headers['retry-after'];
  if (given === undefined) return 0;
  return /^\d+$/.test(given) ? Number(given) * 1000 : Number.POSITIVE_INFINITY;
}
