/**
 * The hand-written part of the client: sends requests and reads the answers. Its only requirement is `fetch`. The operations are in
 * operations.generated.ts.
 */
import { addressOf, type Client, type ClientOptions, type Operation, type Request } from './request.ts';
import { sendWithRetries } from './retries.ts';

export type { CallOptions, Client, ClientOptions } from './request.ts';

/** A successful answer. `message` is human-readable; `requestId` identifies the request in the server's log. */
export type Answer<D> = { data: D; message: string; requestId: string };
/** `meta` of a page by `after` is `{limit, next}`: `next` is the next `after`, null at the end. */
export type PagedAnswer<D> = Answer<D> & {
  meta: { total: number; limit: number; offset: number; next?: string | null };
};

export type Fault = { path: string; message: string };

/** What has changed since the version that a request was based on. `changes` is null where that is not known. */
export type VersionConflict = {
  version: number;
  changed_at: string | null;
  changed_by: { kind: string; id: string | null; name: string | null } | null;
  changes: Array<{ field: string; before: unknown; after: unknown }> | null;
};

type ErrorBody = { message?: string; reason?: string; code?: string; details?: Fault[]; data?: VersionConflict };

/** Thrown for every answer that is not a success. */
export class ParleyError extends Error {
  readonly status: number;
  /** Error code, such as INVALID_REQUEST, NOT_FOUND or CONFLICT; a 401 has none. */
  readonly code: string | undefined;
  /** On a 400: all problems of the request. */
  readonly details: readonly Fault[];
  /** On a 412: what has changed since the version that the request was based on. */
  readonly conflict: VersionConflict | undefined;
  readonly requestId: string;
  /** Seconds to wait before retrying, if the server sent Retry-After. */
  readonly retryAfterSec: number | undefined;

  constructor(response: Response, body: ErrorBody) {
    super(body.message ?? body.reason ?? messageFor(response));
    this.name = 'ParleyError';
    this.status = response.status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.conflict = response.status === 412 ? body.data : undefined;
    this.requestId = response.headers.get('x-request-id') ?? '';
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    this.retryAfterSec = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }

  /** The error of an answer that is not a success. A proxy may have sent it, so the text need not be JSON. */
  static of(response: Response, text: string): ParleyError {
    return new ParleyError(response, objectIn(text) ?? {});
  }
}

function messageFor({ status, headers, type }: Response): string {
  const location = headers.get('location');
  if (location !== null) return `The server answered ${status}: use ${location} as its address.`;
  return type === 'opaqueredirect' ? 'The server redirects to another address.' : `The server answered ${status}.`;
}

export const createClient = (options: ClientOptions = {}): Client => ({
  ...options,
  baseUrl: (options.baseUrl ?? '').replace(/\/$/, ''),
});

/**
 * Sends a request and reads the answer.
 * @throws ParleyError for every answer that is not a success; TypeError for a missing path parameter, before anything is sent
 */
export async function call<A>(client: Client, operation: Operation, request: Request = {}): Promise<A> {
  addressOf(operation, request); // here too, since a request that cannot be made must not be tried again
  const { response, text } = await sendWithRetries(client, operation, request);
  if (!response.ok) throw ParleyError.of(response, text);
  const requestId = response.headers.get('x-request-id') ?? '';
  if (operation.answer === 'text') return { data: text, message: '', requestId } as A;
  const body = objectIn(text);
  if (!body) throw new ParleyError(response, { message: 'The answer is not JSON. Is this the address of parley?' });
  if (operation.answer === 'bare') return body as A;
  const { success: _, ...answer } = body;
  return { ...answer, requestId } as A;
}

/** The object that a text holds as JSON. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
