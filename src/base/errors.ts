/** The kinds of error that services throw. They know nothing of HTTP: the http layer maps each kind to a status and a code. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
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

/** A fault in a request. `path` is like `schedule.windowStart` or `contacts[3].phone`; `""` means the whole request. */
export type Fault = { path: string; message: string };

export type AppErrorOptions = {
  details?: readonly Fault[];
  /** `data` of the answer's envelope. */
  data?: object;
  /** Omits `code` from the answer, for the errors that have none. */
  codeless?: boolean;
  /** Response headers of the error, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** The only error type that services throw on purpose. Any other error is a bug and answered as INTERNAL_ERROR. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly Fault[] | undefined;
  readonly data: object | undefined;
  readonly codeless: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.details = options.details;
    this.data = options.data;
    this.codeless = options.codeless ?? false;
    this.headers = options.headers ?? {};
  }
}

/** An invalid request. The message is that of the only fault, or says how many there are. */
export function invalid(details: readonly Fault[]): AppError {
  const [first] = details;
  const message =
    details.length === 1 && first
      ? first.path === ''
        ? first.message
        : `${first.path}: ${first.message}`
      : `The request has ${details.length} problems; see details.`;
  return new AppError('invalid', message, { details });
}

/** An invalid request with a single fault. */
export const invalidAt = (path: string, message: string): AppError => invalid([{ path, message }]);

/** The same message whether the thing does not exist or belongs to another organization. */
export const notFound = (what: string): AppError => new AppError('not_found', `No such ${what}.`);

export const conflict = (message: string): AppError => new AppError('conflict', message);

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
