/** What can go wrong, as the domain sees it. `http/errors.ts` maps a kind to a status; services know no HTTP. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'not_connected'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'rate_limited'
  | 'provider'
  | 'unavailable'
  | 'internal';

/** One fault at one place of a request. `path` is like `schedule.windowStart` or `contacts[3].phone`, `""` for the whole. */
export type Fault = { path: string; message: string };

export type AppErrorOptions = {
  details?: readonly Fault[];
  /** Answer without a `code`: the contract (section 1) lists errors that have none. */
  codeless?: boolean;
  /** Response headers that belong to the error, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** The one error type that services throw; anything else that escapes is a defect and answered as INTERNAL_ERROR. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly Fault[] | undefined;
  readonly codeless: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.details = options.details;
    this.codeless = options.codeless ?? false;
    this.headers = options.headers ?? {};
  }
}

/** A request that is wrong in the places listed; the message is the first fault's, or a count of them. */
export function invalid(details: readonly Fault[]): AppError {
  const [first] = details;
  const message =
    details.length === 1 && first
      ? first.path === ''
        ? first.message
        : `${first.path}: ${first.message}`
      : `The request has ${details.length} faults; see details.`;
  return new AppError('invalid', message, { details });
}

/** One fault at one path. */
export const invalidAt = (path: string, message: string): AppError => invalid([{ path, message }]);

/** The same words whether the thing does not exist or is another organization's (contract, section 1). */
export const notFound = (what: string): AppError => new AppError('not_found', `No such ${what}.`);

export const conflict = (message: string): AppError => new AppError('conflict', message);

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
