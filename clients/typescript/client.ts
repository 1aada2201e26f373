/**
 * The part of the client that is written by hand: sending a request and reading its answer. It needs `fetch` and nothing else.
 * What can be asked is in operations.generated.ts.
 */

export type ClientOptions = {
  /** Where the server is, such as http://127.0.0.1:8080. */
  baseUrl: string;
  /** `pk_…`; enough for everything but the operations that take an access token only. */
  apiKey?: string;
  /** Made with a key by `createAccessToken`. */
  accessToken?: string;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
};

export type Client = Readonly<ClientOptions>;

/** What any operation may be given beside its own parameters. */
export type CallOptions = {
  /** On a POST: the same request with the same key within 24 hours happens once. */
  idempotencyKey?: string;
  /** Names the request in the server's log; one is made if it is left out. */
  requestId?: string;
  signal?: AbortSignal;
};

/** A success. `message` is a sentence for a person; `requestId` names the request in the server's log. */
export type Answer<D> = { data: D; message: string; requestId: string };
export type PagedAnswer<D> = Answer<D> & { meta: { total: number; limit: number; offset: number } };

export type Fault = { path: string; message: string };

/** A refusal, or a failure of the server. */
export class ParleyError extends Error {
  readonly status: number;
  /** Such as INVALID_REQUEST, NOT_FOUND, CONFLICT; a 401 has none. */
  readonly code: string | undefined;
  /** On a 400: every fault. */
  readonly details: readonly Fault[];
  readonly requestId: string;
  /** How long to wait before asking again, when the server says so. */
  readonly retryAfterSec: number | undefined;

  constructor(response: Response, body: { message?: string; reason?: string; code?: string; details?: Fault[] }) {
    super(body.message ?? body.reason ?? `The server answered ${response.status}.`);
    this.name = 'ParleyError';
    this.status = response.status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.requestId = response.headers.get('x-request-id') ?? '';
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    this.retryAfterSec = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

export const createClient = (options: ClientOptions): Client => ({
  ...options,
  baseUrl: options.baseUrl.replace(/\/$/, ''),
});

/** An operation, as the generated functions describe it. */
export type Operation = {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  /** Who may ask: anybody, whoever has a key or a token, or a token only. */
  access: 'public' | 'any' | 'bearer';
  /** Of the body, when it is no JSON. */
  contentType?: string;
  /** How the answer is read: `data` of the envelope, the whole JSON, or text. */
  answer: 'enveloped' | 'bare' | 'text';
};

export type Request = CallOptions & {
  params?: object;
  query?: object;
  headers?: object;
  body?: unknown;
};

/** Sends a request. @throws ParleyError for every answer that is no success */
export async function call<A>(client: Client, operation: Operation, request: Request = {}): Promise<A> {
  const { fetch = globalThis.fetch } = client;
  const response = await fetch(client.baseUrl + addressOf(operation, request), {
    method: operation.method,
    headers: headersOf(client, operation, request),
    ...(request.body === undefined
      ? {}
      : {
          body:
            operation.contentType || request.body instanceof FormData
              ? (request.body as NonNullable<RequestInit['body']>)
              : JSON.stringify(request.body),
        }),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new ParleyError(response, jsonOr({}, text));
  if (operation.answer === 'bare') return JSON.parse(text) as A;
  const requestId = response.headers.get('x-request-id') ?? '';
  if (operation.answer === 'text') return { data: text, message: '', requestId } as A;
  const { success: _, ...answer } = JSON.parse(text) as { success: true };
  return { ...answer, requestId } as A;
}

function addressOf({ path }: Operation, { params = {}, query = {} }: Request): string {
  const values = params as Record<string, string>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function headersOf(client: Client, { access, contentType }: Operation, request: Request): Record<string, string> {
  return {
    ...credentialsOf(client, access),
    // A form names its own boundary.
    ...(request.body === undefined || request.body instanceof FormData
      ? {}
      : { 'content-type': contentType ?? 'application/json' }),
    ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
    ...(request.requestId === undefined ? {} : { 'x-request-id': request.requestId }),
    ...(request.headers as Record<string, string> | undefined),
  };
}

function credentialsOf({ apiKey, accessToken }: Client, access: Operation['access']): Record<string, string> {
  if (access === 'public') return {};
  if (access === 'any' && apiKey !== undefined) return { 'x-api-key': apiKey };
  if (accessToken !== undefined) return { authorization: `Bearer ${accessToken}` };
  throw new TypeError(
    access === 'any'
      ? 'This operation needs an apiKey or an accessToken.'
      : 'This operation needs an accessToken: make one with createAccessToken.',
  );
}

/** What a proxy answers in the server's place need not be JSON. */
function jsonOr<T>(otherwise: T, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise; // the status says enough
  }
}
